import { type Check, nounOf, nounWithNames, quoted } from '../check.js'
import { hostPathVolumes } from './host-path-volumes.js'

const allowed = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
])

/** Volumes come from the API, not from the node or straight from storage. */
export const restrictedVolumes: Check = {
  id: 'restrictedVolumes',
  level: 'restricted',
  overrides: [hostPathVolumes.id],
  versions: [
    {
      since: 0,
      find({ spec }) {
        const found = (spec.volumes ?? []).flatMap(({ name, ...sources }) =>
          Object.entries(sources)
            .filter(([source, value]) => value !== undefined && !allowed.has(source))
            .map(([source]) => ({ name, source })),
        )
        if (found.length === 0) return undefined
        const types = [...new Set(found.map(({ source }) => source))].sort()
        const volumes = nounWithNames(
          'volume',
          found.map(({ name }) => name),
        )
        const verb = found.length === 1 ? 'uses' : 'use'
        return {
          reason: 'restricted volume types',
          detail: `${volumes} ${verb} restricted volume ${nounOf('type', types.length)} ${quoted(types)}`,
        }
      },
    },
  ],
}
