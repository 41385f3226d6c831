import { createHash, randomUUID } from 'node:crypto'
import { encodeAttributes } from '../../kernel/storage/attributes.js'
import { decodeLine, encodeHeader, encodeRecord, encodeTrailer } from '../../plugins/storage-tools/export-format.js'
import { payload } from './config-map-load.js'

export interface LargeShape {
  readonly objects: number
  /** Bytes of data. */
  readonly size: number
  readonly namespaces: number
  /** How many values of the label there are. */
  readonly labels: number
}

const piecesOf = 2000
/** The stream of an export of a small server, with very many ConfigMaps like the sample that it has. */
export async function* largeExport(
  small: readonly string[],
  { objects, size, namespaces, labels }: LargeShape,
  isLate: () => boolean,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  const sample = decodeLine(Buffer.from(small.find(line => line.startsWith('{"key":"/configmaps/space-0/sample"'))!))
  if (!('body' in sample)) throw new Error('the export of the small server has no sample')
  const { metadata, data } = JSON.parse(sample.body.toString())
  const bodyOf = (name: string, namespace: string, app: string, index: number) => ({
    metadata: { ...metadata, name, namespace, uid: randomUUID(), labels: { app } },
    data: { ...data, payload: payload(index, size) },
  })
  const count = objects + small.length
  const hashed = (piece: Buffer) => {
    hash.update(piece)
    return piece
  }
  yield hashed(Buffer.from(encodeHeader({ revision: 10_000, count })))
  yield hashed(Buffer.from(`${small.join('\n')}\n`))
  for (let first = 0; first < objects; first += piecesOf) {
    const lines: Buffer[] = []
    for (let index = first; index < Math.min(objects, first + piecesOf); index++) {
      const [name, namespace, app] = [`object-${index}`, `space-${index % namespaces}`, `app-${index % labels}`]
      const fields = { 'metadata.name': name, 'metadata.namespace': namespace }
      lines.push(
        encodeRecord({
          key: `/configmaps/${namespace}/${name}`,
          modRevision: 1,
          attributes: encodeAttributes({ version: 'v1', labels: { app }, fields }),
          body: Buffer.from(JSON.stringify(bodyOf(name, namespace, app, index))),
        }),
      )
    }
    if (isLate()) throw new Error('filling the store takes too long: take fewer --objects')
    yield hashed(Buffer.concat(lines))
  }
  yield Buffer.from(encodeTrailer({ count, sha256: hash.digest('hex') }))
}
