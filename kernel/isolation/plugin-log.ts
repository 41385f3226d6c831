import type { Logger } from 'orch/sdk'
import { isObject, type JsonObject } from '../../libs/json/index.js'
import { Budget } from './budget.js'

const maxLinesPerSecond = 500
const maxLength = 4_000

/** Writes what an isolated plugin logs to the log of the server, but not a flood of it. */
export class PluginLog {
  readonly #lines = new Budget(maxLinesPerSecond, 1000)

  write(plugin: string, { level, message, fields }: JsonObject, logger: Logger | undefined): void {
    const budget = this.#lines.take()
    if (budget === 'exceeds')
      logger?.warn('an isolated plugin logs too much; the rest of this second is dropped', { plugin })
    if (budget !== 'within') return
    const text = String(message).slice(0, maxLength)
    const given = isObject(fields) && JSON.stringify(fields).length <= maxLength ? fields : {}
    const all = { ...given, plugin }
    if (level === 'error') logger?.error(text, all)
    else if (level === 'warn') logger?.warn(text, all)
    else if (level === 'info') logger?.info(text, all)
    else logger?.debug(text, all)
  }
}
