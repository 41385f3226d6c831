const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}
const wholeDuration = /^([+-]?)((?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/
const onePart = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|ms|s|m|h)/gy

/** Every unit once, each with more digits than a number holds, is shorter. */
const longestDuration = 256

/** Is this a duration as operators write it: `300ms`, `5m`, `1h30m`, or a bare `0`? */
export const isDuration = (text: string): boolean =>
  text === '0' || (text.length <= longestDuration && wholeDuration.test(text))

/** Milliseconds of a duration such as `5m` or `1h30m`. Throws a TypeError for anything else. */
export function parseDuration(text: string): number {
  if (text === '0') return 0
  if (!isDuration(text))
    throw new TypeError(`"${text.slice(0, longestDuration)}" is not a duration such as 30s or 1h30m`)
  let ms = 0
  for (const [, amount, unit] of text.replace(/^[+-]/, '').matchAll(onePart))
    ms += Number(amount) * (unitMs[unit ?? ''] ?? 0)
  return text.startsWith('-') ? -ms : ms
}
