import type { Anything } from './api.js'

/** The names of the containers of a Pod, those that one asks for most first. */
export const containersOf = (spec: Anything): string[] =>
  [...(spec?.containers ?? []), ...(spec?.initContainers ?? []), ...(spec?.ephemeralContainers ?? [])].map(
    ({ name }: Anything) => String(name),
  )
