import type { VersionDefinition } from 'orch/sdk'

/** The versions before v1, newest first, with their deprecation warnings. */
export const olderVersions = (group: string) =>
  [
    {
      name: 'v1beta3',
      since: '1.26',
      until: '1.31',
      deprecated: { since: '1.29', removedRelease: '1.32', replacement: `${group}/v1` },
    },
    {
      name: 'v1beta2',
      until: '1.28',
      deprecated: { since: '1.26', removedRelease: '1.29', replacement: `${group}/v1beta3` },
    },
    {
      name: 'v1beta1',
      until: '1.25',
      deprecated: { since: '1.23', removedRelease: '1.26', replacement: `${group}/v1beta2` },
    },
  ] as const satisfies readonly Omit<VersionDefinition, 'schema'>[]
