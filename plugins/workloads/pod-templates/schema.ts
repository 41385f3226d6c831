import { embedded, Kind, PodTemplateSpec, type Static } from 'orch/sdk'

export const PodTemplate = Kind('core.v1.PodTemplate', {
  template: embedded(2, PodTemplateSpec),
})
export type PodTemplate = Static<typeof PodTemplate>
