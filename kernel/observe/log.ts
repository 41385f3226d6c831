import { inspect } from 'node:util'
import { ApiError, type Logger } from 'orch/sdk'
import { type Logger as PinoLogger, pino, stdTimeFunctions } from 'pino'
import { escapeControls } from './escape-controls.js'
import { withSourcePositions } from './source-positions.js'

/** Labels of levels, and their colors. */
const levels: Readonly<Record<string, readonly [name: string, color: number]>> = {
  debug: ['DEBUG', 90],
  info: ['INFO ', 36],
  warn: ['WARN ', 33],
  error: ['ERROR', 31],
}

/** Formats a line for people: time (on a terminal that of the day), level, message, fields, and the stack of an error below. */
export function readableLine(json: string, isColored: boolean): string {
  const { level, time, message, error, ...rest } = JSON.parse(json) as Record<string, unknown>
  const [name, color] = levels[String(level)] ?? [String(level), 0]
  const painted = isColored ? `\u001b[${color}m${name}\u001b[0m` : name
  const stack: string[] = []
  const words = Object.entries(error === undefined ? rest : { ...rest, error: errorText(error) }).map(
    ([key, value]) => {
      if (key !== 'error' && !isStack(value)) return `${key}=${textOf(value)}`
      const [reason, ...frames] = String(value).split('\n')
      for (const frame of frames) stack.push(frame)
      return `${key}=${textOf(reason)}`
    },
  )
  const line = [isColored ? timeOfDay(time) : String(time), painted, lineOf(String(message)), ...words].join(' ')
  return `${[line, ...stack.map(each => lineOf(each).replace(/^(?! {2})/, '    '))].join('\n')}\n`
}

/** Text with control characters escaped: messages may quote input of clients, which could forge lines or colors. */
const lineOf = (text: string): string =>
  escapeControls(text.replace(/[\u0000-\u001f]/g, character => JSON.stringify(character).slice(1, -1)))

const onOneLine = { compact: true, breakLength: Number.POSITIVE_INFINITY } as const
const isStack = (value: unknown): boolean => typeof value === 'string' && /\n {4}at /.test(value)
const timeOfDay = (time: unknown): string => new Date(String(time)).toTimeString().slice(0, 8)

function errorText(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error)
  const { stack, message, cause } = error as { stack?: string; message?: string; cause?: unknown }
  const text = stack ?? message ?? inspect(error, onOneLine)
  return cause === undefined ? text : `${text}\n  caused by ${errorText(cause)}`
}

/** Quotes a value if necessary. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (typeof value !== 'string') return lineOf(inspect(value, onOneLine))
  // Control characters could forge lines or colors.
  return /^[^\s"=\u0000-\u001f\u007f]+$/.test(value) ? escapeControls(value) : escapeControls(JSON.stringify(value))
}

/** Debug messages appear from this verbosity on, as in Kubernetes. */
const debugVerbosity = 4

/** Fields that contain credentials wherever they appear. They are never logged. */
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
const hiddenValue = '[hidden]'

/** The fields with secrets hidden, down to the depth that the log redacts. */
export function withoutSecrets(fields: object, depth = 3): Record<string, unknown> {
  const shown = (name: string, value: unknown): unknown => {
    if (secretFields.includes(name)) return hiddenValue
    const hasFields = typeof value === 'object' && value !== null && !Array.isArray(value)
    return hasFields && depth > 1 ? withoutSecrets(value, depth - 1) : value
  }
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, shown(name, value)]))
}

export interface LogOptions {
  /** The value of --v. */
  readonly verbosity: number
  /** JSON by default. */
  readonly format?: LogFormat
  /** The destination; standard error by default, so that standard output stays readable. */
  readonly destination?: Destination
}
interface Destination {
  write(line: string): void
}

/** `text` is without colors, `colors` for terminals. */
export type LogFormat = 'json' | 'text' | 'colors'

/** Resolves the value of --log-format. */
export function logFormat(asked: 'json' | 'text', here: { isTerminal: boolean; environment: Environment }): LogFormat {
  if (asked === 'json') return 'json'
  return here.isTerminal && !here.environment['NO_COLOR'] ? 'colors' : 'text'
}
type Environment = Readonly<Record<string, string | undefined>>

/** Structured logging: one JSON object per line, or text. Messages of a request share `logger.child({ requestId })`. */
export function createLogger({ verbosity, format, destination = standardError() }: LogOptions): Logger {
  const options = {
    level: verbosity >= debugVerbosity ? 'debug' : 'info',
    base: undefined,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { error: serializeError },
    redact: { paths: anywhere, censor: hiddenValue },
  }
  return wrap(
    pino(options, format === undefined || format === 'json' ? escaped(destination) : readable(destination, format)),
  )
}

function standardError(): Destination {
  // Synchronous, so that the message that explains a crash is not lost.
  const stream = pino.destination({ fd: 2, sync: true })
  // The reader of the log is gone; the server continues.
  stream.on('error', () => {})
  return stream
}

const escaped = (destination: Destination): Destination => ({
  write: line => destination.write(escapeControls(line)),
})
const readable = (destination: Destination, format: LogFormat): Destination => ({
  write: line => destination.write(readableLine(line, format === 'colors')),
})

/** An ApiError is self-explanatory; other errors are logged with their stacks. */
export function serializeError(error: unknown): unknown {
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

/** pino takes fields before the message; the Logger of the sdk has the opposite order. */
function wrap(inner: PinoLogger): Logger {
  return {
    debug: (message, fields) => inner.debug(fields ?? {}, message),
    info: (message, fields) => inner.info(fields ?? {}, message),
    warn: (message, fields) => inner.warn(fields ?? {}, message),
    error: (message, fields) => inner.error(fields ?? {}, message),
    child: fields => wrap(inner.child(fields)),
  }
}
