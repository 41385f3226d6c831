import { bodyPrefix } from 'orch/sdk/host'

const quote = 0x22
const backslash = 0x5c
const opening = 0x7b
const closing = 0x7d

/**
 * The end of the metadata of a stored body, found without parsing: the metadata comes first. The bytes before this offset, plus a
 * closing brace, are the object reduced to its metadata.
 */
export function metadataEnd(body: Buffer): number {
  let depth = 1
  let at = bodyPrefix.length
  for (; depth > 0 && at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) at = stringEnd(body, at)
    else if (byte === opening) depth++
    else if (byte === closing) depth--
  }
  return at
}

/** Offset of the quote that ends the string starting at `start`. */
function stringEnd(body: Buffer, start: number): number {
  let at = start + 1
  while (at < body.length && body[at] !== quote) at += body[at] === backslash ? 2 : 1
  return at
}
