import { embedded, Kind, type Static } from 'orch/sdk'
import { PodTemplateSpec } from 'orch/sdk/core'

export const PodTemplate = Kind(
  'core.v1.PodTemplate',
  {
    template: embedded(2, PodTemplateSpec, 'The template.'),
  },
  { description: 'A template for Pods.' },
)
export type PodTemplate = Static<typeof PodTemplate>
