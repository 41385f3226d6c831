import { field, MapOf, Quantity, type Static, Struct } from '../schema.js'

/** How much of each resource is asked for and allowed at most. */
export const ResourceRequirements = Struct(
  'core.v1.ResourceRequirements',
  {
    limits: field(1, MapOf(Quantity()), 'The most it may use, by resource.'),
    requests: field(2, MapOf(Quantity()), 'What is set aside for it, by resource. The limits by default.'),
  },
  { description: 'What something needs and may use.' },
)
export type ResourceRequirements = Static<typeof ResourceRequirements>
