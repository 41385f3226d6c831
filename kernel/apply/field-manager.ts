/** The interface of field ownership to the rest of the kernel. */
export { applyObject } from './apply-object.js'
export type { FieldManagerType } from './field-manager-type.js'
export { repairManagedFields } from './managed-fields.js'
export { managerFromUserAgent, validateFieldManager } from './manager-name.js'
export { trackUpdate } from './track-update.js'
export { unchangedObject } from './unchanged-times.js'
