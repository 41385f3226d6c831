import type { ObjectMeta } from 'orch/sdk'

const yes = ['1', 't', 'T', 'true', 'TRUE', 'True']
const no = ['0', 'f', 'F', 'false', 'FALSE', 'False']

/** Whether the server maintains the spec of an object, as its annotation says; undefined if that says nothing understandable. */
export function readAutoUpdate(metadata: ObjectMeta | undefined, annotation: string): boolean | undefined {
  const text = metadata?.annotations?.[annotation] ?? ''
  return yes.includes(text) ? true : no.includes(text) ? false : undefined
}
