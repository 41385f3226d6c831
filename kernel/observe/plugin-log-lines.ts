import type { Logger } from 'orch/sdk'
import { readableLine, serializeError, withoutSecrets } from './log.js'

/** Lines that are retained for each plugin. */
const maxLines = 200
/** Longer lines are truncated: a stack with its causes fits. */
const maxCharacters = 4096

/** The last lines that each plugin logged in this process. */
export class PluginLogLines {
  readonly #lines = new Map<string, string[]>()

  of(plugin: string): readonly string[] {
    return this.#lines.get(plugin) ?? []
  }

  /** A logger for a plugin that also retains its lines, except debug messages. */
  record(plugin: string, logger: Logger, given: Record<string, unknown> = {}): Logger {
    const kept = (level: 'info' | 'warn' | 'error') => (message: string, fields?: Record<string, unknown>) => {
      this.#keep(plugin, level, message, { ...given, ...fields })
      logger[level](message, fields)
    }
    return {
      debug: (message, fields) => logger.debug(message, fields),
      info: kept('info'),
      warn: kept('warn'),
      error: kept('error'),
      child: fields => this.record(plugin, logger.child(fields), { ...given, ...fields }),
    }
  }

  #keep(plugin: string, level: string, message: string, { error, ...fields }: Record<string, unknown>): void {
    const time = new Date().toISOString()
    const shown = withoutSecrets(error === undefined ? fields : { ...fields, error: serializeError(error) })
    let line: string
    try {
      line = readableLine(JSON.stringify({ ...shown, level, time, message }), false)
    } catch (why) {
      line = readableLine(
        JSON.stringify({ level, time, message: `${message} (fields cannot be shown: ${why})` }),
        false,
      )
    }
    let lines = this.#lines.get(plugin)
    if (!lines) this.#lines.set(plugin, (lines = []))
    lines.push(line.trimEnd().slice(0, maxCharacters))
    if (lines.length > maxLines) lines.shift()
  }
}
