import { field, MapOf, Quantity, type Static, Struct } from '../schema.js'

/** How much of each resource is asked for and allowed at most. */
export const ResourceRequirements = Struct('core.v1.ResourceRequirements', {
  limits: field(1, MapOf(Quantity())),
  requests: field(2, MapOf(Quantity())),
})
export type ResourceRequirements = Static<typeof ResourceRequirements>
