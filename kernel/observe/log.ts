import type { Logger } from 'orch/sdk'
import { type Logger as PinoLogger, pino, stdSerializers, stdTimeFunctions } from 'pino'

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
  /** Where lines go; standard error by default, so that standard output stays readable for people. */
  readonly destination?: { write(line: string): void }
}

/** Structured logging: one JSON object per line. A request's lines share `logger.child({ requestId })`. */
export function createLogger({ verbosity, destination }: LogOptions): Logger {
  const options = {
    level: verbosity >= debugVerbosity ? 'debug' : 'info',
    base: undefined,
    messageKey: 'message',
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { error: (error: unknown) => (error instanceof Error ? stdSerializers.err(error) : error) },
    redact: { paths: anywhere, censor: '[hidden]' },
  }
  // Synchronous, because the line that explains a crash must not be lost with it.
  return wrap(pino(options, destination ?? pino.destination({ fd: 2, sync: true })))
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
