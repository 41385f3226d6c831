import { defineDifference, type ServedLevel } from 'orch/sdk'

/** The schema of metadata has the same difference for nested objects. */
export const omitsUnsetTimes = defineDifference({
  name: 'unset-creation-time-is-omitted',
  since: '1.34',
  description: 'Objects that are not stored, such as reviews and templates, have no creationTimestamp instead of null.',
  knownFrom: 'source',
})

/** The metadata of an object that is not stored. */
export const unsetMetadata = (level: ServedLevel): { creationTimestamp?: never } =>
  level.has(omitsUnsetTimes) ? {} : { creationTimestamp: null as never }
