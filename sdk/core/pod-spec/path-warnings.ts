import type { VolumeProjection } from '../projected-volume-sources.js'
import type { Volume } from '../volume.js'

interface Place {
  readonly path: string
  readonly source: string
}
type Items = readonly { readonly path: string }[]
const placesOf = (items: Items = [], source = ''): Place[] => items.map(({ path }) => ({ path, source }))
const text = ({ path, source }: Place) => (source === '' ? `"${path}"` : `"${path}" (${source})`)

/** Files of a volume of which one would be, or be in, another. */
export const pathWarningsOf = (volumes: readonly Volume[]): string[] =>
  volumes.flatMap(({ name, configMap, secret, downwardAPI, projected }) => [
    ...overlaps(name, `ConfigMap "${configMap?.name ?? ''}"`, placesOf(configMap?.items)),
    ...overlaps(name, `Secret "${secret?.secretName ?? ''}"`, placesOf(secret?.items)),
    ...overlaps(name, 'DownwardAPI', placesOf(downwardAPI?.items)),
    ...(projected?.sources ?? [])
      .filter(source => Object.keys(source).length === 0)
      .map(() => `volume "${name}" (Projected) has no sources provided`),
    ...overlaps(name, 'Projected', (projected?.sources ?? []).flatMap(projectedPlaces)),
  ])

function projectedPlaces(source: VolumeProjection): Place[] {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle: bundle, podCertificate } = source
  if (configMap) return placesOf(configMap.items, `ConfigMap "${configMap.name ?? ''}"`)
  if (secret) return placesOf(secret.items, `Secret "${secret.name ?? ''}"`)
  if (downwardAPI) return placesOf(downwardAPI.items, 'DownwardAPI')
  if (serviceAccountToken) return [{ path: serviceAccountToken.path, source: 'ServiceAccountToken' }]
  if (bundle) return [{ path: bundle.path, source: `ClusterTrustBundle "${bundle.name ?? bundle.signerName ?? ''}"` }]
  return [
    { path: podCertificate?.certificateChainPath ?? '', source: 'PodCertificate chain' },
    { path: podCertificate?.keyPath ?? '', source: 'PodCertificate key' },
    { path: podCertificate?.credentialBundlePath ?? '', source: 'PodCertificate credential bundle' },
  ]
}

function overlaps(volume: string, kind: string, places: readonly Place[]): string[] {
  const seen: Place[] = []
  const warnings: string[] = []
  for (const place of places) {
    const path = place.path.replace(/\/+$/, '')
    if (path === '') continue
    const clashes = seen.filter(
      other => `${other.path}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other.path}/`),
    )
    const own = { ...place, path }
    for (const other of clashes)
      warnings.push(`volume "${volume}" (${kind}): overlapping paths: ${text(own)} with ${text(other)}`)
    seen.push(own)
  }
  return warnings
}
