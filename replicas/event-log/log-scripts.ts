// The scripts of the event log. Redis runs each as one step.
//
// A log is a hash and eight streams: one for each category, and one for gaps. The names of the streams contain the generation
// that the hash names. The hash has `start`, `top`, `newest` (the newest event; 0 if there is none), `gaps` (entries of the gap
// stream), and for each category, by its place among the categories: `a1` to `a7`, the events ever added, and `r1` to `r7`,
// those of them that are no longer in the stream.
//
// Each script first compares the length of each stream with these numbers. So a stream that somebody has trimmed, deleted,
// added to or replaced is noticed before anything is read or written. Numbers in Lua are doubles, which hold sequence numbers
// exactly; they are written with %.0f because Lua's own format would round them.

import type { Script } from "../redis/redis-link.ts";

/** Gives `head` and `top`; the script ends if the log is not whole or has another generation. */
const OPEN_LOG = `
local fields = {'generation', 'start', 'top', 'newest', 'gaps'}
for i = 1, 7 do fields[#fields + 1] = 'a' .. i end
for i = 1, 7 do fields[#fields + 1] = 'r' .. i end
local head = redis.pcall('HMGET', KEYS[1], unpack(fields))
if head.err then return {'damaged', head.err} end
if not head[1] then return {'absent'} end
if head[1] ~= ARGV[1] then return {'moved'} end
local numbers = {}
for i = 2, #fields do
  numbers[fields[i]] = tonumber(head[i] or '')
  if not numbers[fields[i]] then return {'damaged', 'the field ' .. fields[i] .. ' is no number'} end
end
local top = numbers.top
local function check(firstStream)
  for i = 1, 8 do
    local length = redis.pcall('XLEN', KEYS[firstStream + i - 1])
    if type(length) == 'table' then return length.err end
    local expected = i == 8 and numbers.gaps or numbers['a' .. i] - numbers['r' .. i]
    if length ~= expected then
      return 'stream ' .. i .. ' has ' .. length .. ' entries instead of ' .. string.format('%.0f', expected)
    end
  end
end
`;

/**
 * Appends what is above the top. KEYS: hash, lease, streams. ARGV: generation, writer, lease in milliseconds, 1 to write though
 * another replica has the lease, the number up to which the writer has already written, the length of a stream, lifetime of the
 * log in milliseconds, then for each entry: stream, sequence, text. Result: `ok` or `held`, top before, top after, newest, gaps
 * before, gaps after, 1 if the writer has the lease. `back`, top: the log is not as far as the writer believes.
 */
export const APPEND: Script = {
  name: "append",
  lua: `${OPEN_LOG}
local fault = check(3)
if fault then return {'damaged', fault} end
local before, gapsBefore = head[3], numbers.gaps
if top < tonumber(ARGV[5]) then return {'back', before} end
local holder = redis.pcall('GET', KEYS[2])
if type(holder) == 'table' then return {'damaged', holder.err} end
local mine = not holder or holder == ARGV[2]
if mine then redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3]) end
if not mine and ARGV[4] ~= '1' then return {'held', before, before, head[4], head[5], head[5], 0} end
local added, topText, newest = {}, before, head[4]
for at = 8, #ARGV, 3 do
  local stream, sequence, text = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2]
  if sequence > top then
    if stream == 8 and tonumber(text) <= top then text = string.format('%.0f', top + 1) end
    local id = redis.pcall('XADD', KEYS[stream + 2], ARGV[at + 1] .. '-0', 'e', text)
    if type(id) == 'table' and id.err then return {'damaged', id.err} end
    added[stream] = (added[stream] or 0) + 1
    top, topText = sequence, ARGV[at + 1]
    if stream ~= 8 then newest = topText end
  end
end
if topText == before then return {'ok', before, before, newest, head[5], head[5], mine and 1 or 0} end
local changes = {'top', topText, 'newest', newest}
for stream, count in pairs(added) do
  if stream == 8 then
    numbers.gaps = numbers.gaps + count
    changes[#changes + 1] = 'gaps'
    changes[#changes + 1] = string.format('%.0f', numbers.gaps)
  else
    local trimmed = redis.call('XTRIM', KEYS[stream + 2], 'MAXLEN', '=', ARGV[6])
    changes[#changes + 1] = 'a' .. stream
    changes[#changes + 1] = string.format('%.0f', numbers['a' .. stream] + count)
    changes[#changes + 1] = 'r' .. stream
    changes[#changes + 1] = string.format('%.0f', numbers['r' .. stream] + trimmed)
  end
end
redis.call('HSET', KEYS[1], unpack(changes))
local all = redis.call('PTTL', KEYS[1]) < tonumber(ARGV[7]) / 2
for i = 1, 10 do
  if i ~= 2 and (all or added[i - 2]) then redis.call('PEXPIRE', KEYS[i], ARGV[7]) end
end
return {'ok', before, topText, newest, head[5], string.format('%.0f', numbers.gaps), mine and 1 or 0}
`,
};

/**
 * Reads a page. KEYS: hash, streams. ARGV: generation, the last number to read or an empty text for the top, entries of each
 * stream, bytes, then for each stream the number after which to read, or `-` for none of it. Result: `ok`, the fields of the
 * hash, then for each stream its entries (id, text, id, text ...), and 1 if there may be more of it.
 */
export const READ: Script = {
  name: "read",
  lua: `${OPEN_LOG}
local fault = check(2)
if fault then return {'damaged', fault} end
local last = ARGV[2] == '' and head[3] or ARGV[2]
local count, bytes = tonumber(ARGV[3]), tonumber(ARGV[4])
local reply = {'ok', head}
for i = 1, 8 do
  local after, entries, more = ARGV[4 + i], {}, 0
  if after ~= '-' then
    local found = bytes > 0 and redis.call('XRANGE', KEYS[i + 1], '(' .. after .. '-0', last .. '-0', 'COUNT', count) or {}
    if bytes <= 0 or #found == count then more = 1 end
    for _, entry in ipairs(found) do
      if bytes <= 0 then more = 1 break end
      local text = entry[2][2]
      entries[#entries + 1] = entry[1]
      entries[#entries + 1] = text
      bytes = bytes - #text
    end
  end
  reply[#reply + 1] = entries
  reply[#reply + 1] = more
end
return reply
`,
};

/** Adds entries to a generation that is not in use yet. KEYS: streams. ARGV: lifetime in milliseconds, then as APPEND. */
export const FILL: Script = {
  name: "fill",
  lua: `
for at = 2, #ARGV, 3 do
  redis.call('XADD', KEYS[tonumber(ARGV[at])], ARGV[at + 1] .. '-0', 'e', ARGV[at + 2])
end
for i = 1, 8 do redis.call('PEXPIRE', KEYS[i], ARGV[1]) end
return 'ok'
`,
};

/**
 * Makes another generation the log. KEYS: hash, lease, the new streams, the old streams if there is a log. ARGV: the generation
 * to replace or an empty text, 1 if it is damaged, lifetimes of the old streams and of the log in milliseconds, then names and
 * values of the new hash: generation, start, top, newest, gaps, a1 to a7, r1 to r7. Result: `ok`; `moved`: the log has another
 * generation; `behind`: the log has newer events; `incomplete`: the new streams are not what was written.
 */
export const REPLACE: Script = {
  name: "replace",
  lua: `
local current = redis.pcall('HMGET', KEYS[1], 'generation', 'newest')
local damaged = ARGV[2] == '1'
if current.err and not damaged then return {'damaged', current.err} end
local generation = not current.err and current[1] or ''
if generation ~= ARGV[1] then return {'moved'} end
local fields = {}
for at = 5, #ARGV, 2 do fields[ARGV[at]] = ARGV[at + 1] end
if generation ~= '' and not damaged and (tonumber(current[2] or '') or 0) > tonumber(fields.top) then return {'behind'} end
for i = 1, 8 do
  local expected = i == 8 and tonumber(fields.gaps) or tonumber(fields['a' .. i]) - tonumber(fields['r' .. i])
  if redis.call('XLEN', KEYS[i + 2]) ~= expected then return {'incomplete'} end
end
redis.call('DEL', KEYS[1])
if damaged then redis.call('DEL', KEYS[2]) end
for at = 5, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1]) end
for i = 1, 10 do
  if i ~= 2 then redis.call('PEXPIRE', KEYS[i], ARGV[4]) end
end
for i = 11, #KEYS do redis.call('PEXPIRE', KEYS[i], ARGV[3]) end
return {'ok'}
`,
};
