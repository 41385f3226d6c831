import { inspect } from 'node:util'
import { ApiError, type Logger } from 'orch/sdk'
import { type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { withSourcePositions } from './source-positions.js'

/** Levels as people scan for them, and their colors. */
const levels: Readonly<Record<string, readonly [name: string, color: number]>> = {
  debug: ['DEBUG', 90],
  info: ['INFO ', 36],
  warn: ['WARN ', 33],
  error: ['ERROR', 31],
}

/** A line of the log for a terminal: time of day, level, message, fields, and below it the stack of an error. */
function readableLine(json: string, isColored: boolean): string {
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

/** Debugging lines appear from this verbosity on, as operators of such servers expect of --v. */
const debugVerbosity = 4

/** Fields that hold a credential wherever they appear. A line must never be the place where one leaks. */
const secretFields = [
  'authorization',
  'cookie',
  'token',
  'bearerToken',
  'password',
  'secret',
  'privateKey',
  'stringData',
]
const anywhere = secretFields.flatMap(name => [name, `*.${name}`, `*.*.${name}`])

export interface LogOptions {
  /** The value of --v. */
  readonly verbosity: number
  /** JSON by default. */
  readonly format?: LogFormat
  /** Where lines go; standard error by default, so that standard output stays readable for people. */
  readonly destination?: Destination
}
interface Destination {
  write(line: string): void
}

/** `text` is for people, `colors` for people at a terminal. */
export type LogFormat = 'json' | 'text' | 'colors'

/** What the value of --log-format means here. */
export function logFormat(
  asked: 'auto' | 'json' | 'text',
  here: { isTerminal: boolean; environment: Environment },
): LogFormat {
  if (asked === 'json' || (asked === 'auto' && !here.isTerminal)) return 'json'
  return here.isTerminal && !here.environment['NO_COLOR'] ? 'colors' : 'text'
}
type Environment = Readonly<Record<string, string | undefined>>

/** Structured logging: one JSON object per line, or text for people. A request's lines share `logger.child({ requestId })`. */
export function createLogger({ verbosity, format, destination = standardError() }: LogOptions): Logger {
  const options = {
    level: verbosity >= debugVerbosity ? 'debug' : 'info',
    base: undefined,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { error: serializeError },
    redact: { paths: anywhere, censor: '[hidden]' },
  }
  return wrap(pino(options, format === undefined || format === 'json' ? destination : readable(destination, format)))
}

function standardError(): Destination {
  // Synchronous, because the line that explains a crash must not be lost with it.
  const stream = pino.destination({ fd: 2, sync: true })
  // Whoever read the log is gone. The server is not there for the log.
  stream.on('error', () => {})
  return stream
}

const readable = (destination: Destination, format: LogFormat): Destination => ({
  write: line => destination.write(readableLine(line, format === 'colors')),
})

/** An answer of the API tells by itself what happened. Of other errors one wants to know where they come from. */
function serializeError(error: unknown): unknown {
  if (error instanceof ApiError) return `${error.code} ${error.reason}: ${error.message}`
  if (!(error instanceof Error)) return error
  const { name, message, stack, cause } = error
  return {
    type: name,
    message,
    stack: stack && withSourcePositions(stack),
    ...(cause === undefined ? {} : { cause: serializeError(cause) }),
  }
}

/** pino takes fields first and message second; the sdk's Logger reads the other way round. */
function wrap(inner: PinoLogger): Logger {
  return {
    debug: (message, fields) => inner.debug(fields ?? {}, message),
    info: (message, fields) => inner.info(fields ?? {}, message),
    warn: (message, fields) => inner.warn(fields ?? {}, message),
    error: (message, fields) => inner.error(fields ?? {}, message),
    child: fields => wrap(inner.child(fields)),
  }
}
