import type { Anything } from './api.js'

/** The names of the containers of a Pod, main containers first. */
export const containersOf = (spec: Anything): string[] =>
  [...(spec?.containers ?? []), ...(spec?.initContainers ?? []), ...(spec?.ephemeralContainers ?? [])].map(
    ({ name }: Anything) => String(name),
  )
