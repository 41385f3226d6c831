import { inspect } from 'node:util'

/** Levels as people scan for them, and their colors. */
const levels: Readonly<Record<string, readonly [name: string, color: number]>> = {
  debug: ['DEBUG', 90],
  info: ['INFO ', 36],
  warn: ['WARN ', 33],
  error: ['ERROR', 31],
}

/** A line of the log for a terminal: time of day, level, message, fields, and below it the stack of an error. */
export function readableLine(json: string, isColored: boolean): string {
  const { level, time, message, error, ...fields } = JSON.parse(json) as Record<string, unknown>
  const [name, color] = levels[String(level)] ?? [String(level), 0]
  const painted = isColored ? `\u001b[${color}m${name}\u001b[0m` : name
  const words = Object.entries(fields).map(([key, value]) => `${key}=${textOf(value)}`)
  const [reason, ...stack] = error === undefined ? [] : errorText(error).split('\n')
  if (reason !== undefined) words.push(`error=${textOf(reason)}`)
  return `${[[timeOfDay(time), painted, message, ...words].join(' '), ...stack].join('\n')}\n`
}

const timeOfDay = (time: unknown): string => new Date(String(time)).toTimeString().slice(0, 8)

function errorText(error: unknown): string {
  const { stack, message } = error as { stack?: string; message?: string }
  return stack ?? message ?? textOf(error)
}

/** Bare where that can be read, quoted otherwise. */
function textOf(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? value.map(textOf).join(',') : inspect(value)
  // Control characters could forge lines or colors.
  return /^[^\s"=\u0000-\u001f\u007f]+$/.test(value) ? value : JSON.stringify(value)
}
