import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AdmissionConfiguration } from '../admission/admission.js'
import { isRecord } from '../resource/own-value.js'
import { isDuration, parseDuration } from '../validation/duration.js'
import { readYaml } from '../yaml/read-yaml.js'

/**
 * The configuration of a control, with the defaults of its schema; undefined when there is none. Throws an error that says what is wrong
 * with it. `kinds` are the accepted kinds, as `<group>/<version> <Kind>`; without any it need not state its kind.
 */
export function readConfiguration<S extends TSchema>(
  configuration: AdmissionConfiguration,
  controlName: string,
  schema: S,
  kinds: readonly string[] = [],
): Static<S> | undefined {
  const given = configuration.of(controlName)
  if (given === undefined) return undefined
  const broken = (why: string) => new Error(`the configuration of ${controlName} ${why}`)
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw broken('must be an object')
  const { apiVersion, kind, ...fields } = given as Record<string, unknown>
  if (kinds.length > 0 && !kinds.includes(`${apiVersion} ${kind}`))
    throw broken(`must be of ${kinds[0]}, not ${apiVersion} ${kind}`)
  const filled = Value.Default(schema, structuredClone(fields))
  const wrong = Value.Errors(schema, filled).First()
  if (wrong) throw broken(`is invalid at ${wrong.path || '/'}: ${wrong.message}`)
  return filled as Static<S>
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a configuration file field by field and collects all errors, so that one change of the file fixes them. Places are paths in the
 * file, such as `resources[0].providers`. Messages do not quote values, which may be secret.
 */
export class ConfigurationReader {
  readonly #problems: string[] = []

  /** The contents of a file of one of these kinds, written as `<group>/<version> <Kind>`. Throws when it is of another kind. */
  static fieldsOf(text: string, kinds: readonly string[]): Fields {
    const [content] = readYaml(text).documents
    const { apiVersion, kind, ...fields } = isRecord(content) ? content : {}
    if (!kinds.includes(`${apiVersion} ${kind}`)) throw new Error(`must be of ${kinds[0]}, not ${apiVersion} ${kind}`)
    return fields
  }

  refuse(place: string, why: string): undefined {
    this.#problems.push(`${place} ${why}`)
    return undefined
  }
  /** Throws one error with all problems. */
  finish(): void {
    if (this.#problems.length > 0) throw new Error(this.#problems.join('; '))
  }

  /** An object that has no other fields than these. */
  record(value: unknown, place: string, known?: readonly string[]): Fields {
    if (!isRecord(value)) {
      this.refuse(place, 'must be an object')
      return {}
    }
    const others = known ? Object.keys(value).filter(name => !known.includes(name)) : []
    for (const name of others) this.refuse(place === '' ? name : `${place}.${name}`, 'is not known')
    return value
  }
  /** A list with at least one entry; an optional list that is missing is empty. */
  list(value: unknown, place: string, isOptional = false): readonly unknown[] {
    if (Array.isArray(value) && (isOptional || value.length > 0)) return value
    if (!isOptional || (value !== undefined && value !== null))
      this.refuse(place, isOptional ? 'must be a list' : 'must be a list with at least one entry')
    return []
  }
  /** A non-empty string. */
  text(value: unknown, place: string): string {
    if (typeof value === 'string' && value !== '') return value
    this.refuse(place, 'must be a non-empty string')
    return ''
  }
  /** One of some words. */
  choice<const T extends string>(value: unknown, place: string, choices: readonly T[]): T {
    if (choices.includes(value as T)) return value as T
    this.refuse(place, `must be ${choices.join(' or ')}`)
    return choices[0]!
  }
  flag(value: unknown, place: string): boolean {
    if (typeof value === 'boolean') return value
    this.refuse(place, 'must be true or false')
    return false
  }
  /** In milliseconds. */
  duration(value: unknown, place: string): number {
    if (typeof value === 'string' && isDuration(value) && parseDuration(value) > 0) return parseDuration(value)
    this.refuse(place, 'must be a positive duration, such as 3s')
    return 0
  }
}
