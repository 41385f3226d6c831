import { compareApiVersions } from 'orch/sdk'

export const preferredFirst = <T extends { readonly name: string }>(versions: readonly T[]): T[] =>
  [...versions].sort((a, b) => compareApiVersions(a.name, b.name))
