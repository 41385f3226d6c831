import type { Pod, Volume } from 'orch/sdk/core'
import type { AuthenticationNames } from '../names.js'
import { randomSuffix } from '../random-suffix.js'
import { volumeTokenSeconds } from '../token-requests/token-subresource.js'

const fileMode = 0o644

/** Gives every container the token of its account, the CA of the server and its namespace as files, unless it brings its own. */
export function mountToken(
  { spec }: Pod,
  { tokenMountPath, tokenVolumePrefix, rootCaConfigMap }: AuthenticationNames,
): void {
  const existing = spec.volumes?.find(({ name }) => name.startsWith(tokenVolumePrefix))
  const name = existing?.name ?? tokenVolumePrefix + randomSuffix()
  const lacking = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    ({ volumeMounts = [] }) => !volumeMounts.some(({ mountPath }) => mountPath === tokenMountPath),
  )
  for (const container of lacking)
    container.volumeMounts = [...(container.volumeMounts ?? []), { name, readOnly: true, mountPath: tokenMountPath }]
  if (!existing && lacking.length > 0) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name, rootCaConfigMap)]
}

const tokenVolume = (name: string, rootCaConfigMap: string): Volume => ({
  name,
  projected: {
    defaultMode: fileMode,
    sources: [
      { serviceAccountToken: { path: 'token', expirationSeconds: volumeTokenSeconds } },
      { configMap: { name: rootCaConfigMap, items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
        },
      },
    ],
  },
})
