// A style sheet that a program imports: the build writes it to a file of its own.
declare module "*.css";
