import { checkNonNegative, type FieldError, invalidValue, isDns1123Subdomain, validateLabelSelector } from 'orch/sdk'
import { checkUnchanged } from '../immutable-field.js'
import type { CSIStorageCapacity } from './schema.js'

const validateObject = ({ nodeTopology, storageClassName, capacity }: CSIStorageCapacity): FieldError[] => [
  ...validateLabelSelector(nodeTopology, 'nodeTopology'),
  ...isDns1123Subdomain(storageClassName).map(text => invalidValue('storageClassName', storageClassName, text)),
  ...(capacity === undefined ? [] : checkNonNegative(capacity, 'capacity')),
]

/** The reference checks a new object twice, and clients see both causes. */
export const validateCapacity = (capacity: CSIStorageCapacity): FieldError[] => [
  ...validateObject(capacity),
  ...validateObject(capacity),
]

/** A capacity is that of a class in a place; for another one there is another object. */
export const validateCapacityUpdate = (sent: CSIStorageCapacity, stored: CSIStorageCapacity): FieldError[] => [
  ...validateObject(sent),
  ...checkUnchanged(sent.nodeTopology, stored.nodeTopology, 'nodeTopology'),
  ...checkUnchanged(sent.storageClassName, stored.storageClassName, 'storageClassName'),
]
