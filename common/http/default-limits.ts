// Default limits that the configuration shares with the servers. Without imports, because the configuration must load
// without a library.

/** The default limit on 401 answers for each address. */
export const UNAUTHORIZED_PER_SECOND = 20;
