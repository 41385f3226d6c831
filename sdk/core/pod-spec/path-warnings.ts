import { withoutTrailing } from '../../files/text-scanning.js'
import type { VolumeProjection } from '../projected-volume-sources.js'
import type { Volume } from '../volume.js'

interface WarnedPath {
  readonly path: string
  readonly source: string
}
type Items = readonly { readonly path: string }[]
const placesOf = (items: Items = [], source = ''): WarnedPath[] => items.map(({ path }) => ({ path, source }))
const text = ({ path, source }: WarnedPath) => (source === '' ? `"${path}"` : `"${path}" (${source})`)

/** Files of a volume with the same path, or of which one would be inside another. */
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

function projectedPlaces(source: VolumeProjection): WarnedPath[] {
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

/** Enough to show the problem: many equal paths have too many pairs to report. */
const maxOverlaps = 100

function overlaps(volume: string, kind: string, places: readonly WarnedPath[]): string[] {
  const warnings: string[] = []
  /** Places by their path, and by every folder that they are in, so that they need not be compared in pairs. */
  const at = new Map<string, NumberedPlace[]>()
  const below = new Map<string, NumberedPlace[]>()
  for (const [number, place] of places.entries()) {
    const path = withoutTrailing(place.path, '/')
    if (path === '') continue
    const folders = foldersOf(path)
    const clashes = [path, ...folders].flatMap(each => at.get(each) ?? []).concat(below.get(path) ?? [])
    const own = { ...place, path, number }
    for (const other of clashes.sort((left, right) => left.number - right.number)) {
      if (warnings.length >= maxOverlaps) return warnings
      warnings.push(`volume "${volume}" (${kind}): overlapping paths: ${text(own)} with ${text(other)}`)
    }
    addTo(at, path, own)
    for (const folder of folders) addTo(below, folder, own)
  }
  return warnings
}
interface NumberedPlace extends WarnedPath {
  readonly number: number
}

function foldersOf(path: string): string[] {
  const folders: string[] = []
  for (let end = path.indexOf('/'); end >= 0 && folders.length < maxDepth; end = path.indexOf('/', end + 1))
    folders.push(path.slice(0, end))
  return folders
}
/** Deeper than any path that a node can have. */
const maxDepth = 256

function addTo(lists: Map<string, NumberedPlace[]>, key: string, place: NumberedPlace): void {
  const list = lists.get(key)
  if (list) list.push(place)
  else lists.set(key, [place])
}
