import type { Static, TSchema } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { AdmissionConfiguration } from './admission.js'

/**
 * The configuration of a control, with the defaults of its schema; undefined when there is none. Throws an error that says
 * what is wrong with it. `kinds` are the ways to name it, as `<group>/<version> <Kind>`; without any it needs no name.
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
  if (wrong) throw broken(`is wrong at ${wrong.path || '/'}: ${wrong.message}`)
  return filled as Static<S>
}
