import type { ApiObject, Vendor } from 'orch/sdk'
import { bodiesOf, type ListChunk, type Revision, type StoreEvent } from 'orch/sdk/host'
import { writeJson } from '../../libs/json/index.js'
import type { Representation } from '../contracts/representation.js'
import { metadataEnd } from '../representation/metadata-bytes.js'
import { partialMetadata } from '../representation/partial-metadata.js'
import type { Allocate } from '../representation/protobuf/wire-writer.js'
import type { Representations } from '../representation/representations.js'
import type { IncludeObject } from '../representation/table.js'
import type { StatusBody } from '../representation/write-status.js'
import { derive } from '../schema/derive.js'
import type { CompiledVersion } from '../types/compiled-version.js'
import type { ResourceType } from '../types/resource-type.js'
import { fromStoredBody } from '../types/stored-json.js'
import { bookmarkMetadata, bookmarkOfMetadata, bookmarkOfType, emptyObject } from './bookmarks.js'
import type { SelectedEvent, WatchEventType } from './watch-event.js'

/** Turns events into the bytes of one form of one version. Shared by all watchers of that form. */
export interface EventEncoder {
  /** Two encoders with one id produce the same bytes. */
  readonly id: string
  encode(event: StoreEvent, selected: SelectedEvent): Buffer
  /** The bodies of a chunk as ADDED events of the initial state, one after another. Calls `allocate` at most once. */
  encodeInitial(chunk: ListChunk, allocate: Allocate): Buffer
  /** Set where a webhook converts objects: then it is used instead of the methods above. */
  readonly outside?: OutsideConversion
  /** `endsInitialState` marks the bookmark after the last event of the initial state. */
  encodeBookmark(revision: Revision, endsInitialState?: boolean): Buffer
  encodeError(status: StatusBody): Buffer
}

/** Encodes events that a webhook has to convert first, many at once. */
export interface OutsideConversion {
  encode(events: readonly ToEncode[]): Promise<readonly Buffer[]>
  encodeInitial(chunk: ListChunk): Promise<Buffer>
}
export interface ToEncode {
  readonly event: StoreEvent
  readonly selected: SelectedEvent
}

/** Chooses the cheapest encoder that produces the requested form. */
export function eventEncoder(
  representations: Representations,
  representation: Representation,
  type: ResourceType,
  version: CompiledVersion,
  include: IncludeObject,
  metaGroup: string,
): EventEncoder {
  const { format, as, metaVersion } = representation
  const { vendor } = representations
  if (format === 'json' && as === 'object' && version.isStoredAsIs) return byteEncoder(vendor, type, version)
  if (format === 'json' && as === 'PartialObjectMetadata')
    return metadataEncoder(representations, `${metaGroup}/${metaVersion}`)
  return new ObjectEncoder(representations, representation, type, version, include, metaGroup)
}

/** One for all watches of a version: they share the bytes of an event. */
const byteEncoder = (vendor: Vendor, type: ResourceType, version: CompiledVersion): ByteEncoder =>
  derive(
    version,
    () => {
      const bookmark: BookmarkOf = (revision, endsInitialState) =>
        bookmarkOfType(vendor, type, version, revision, endsInitialState)
      return new ByteEncoder(type.kind, version.groupVersion, wholeBody, bookmark)
    },
    ByteEncoder,
  )
const wholeBody = (body: Buffer) => body.length - 1

/** Metadata is the same in every version, so one encoder serves all types. */
const metadataEncoder = (representations: Representations, apiVersion: string): ByteEncoder =>
  derive(
    representations,
    () => {
      const bookmark: BookmarkOf = (revision, endsInitialState) =>
        bookmarkOfMetadata(representations.vendor, apiVersion, revision, endsInitialState)
      return new ByteEncoder('PartialObjectMetadata', apiVersion, metadataEnd, bookmark)
    },
    apiVersion,
  )
type BookmarkOf = (revision: Revision, endsInitialState: boolean) => object

const frameEnd = Buffer.from('}}\n')

/** Plain JSON of stored bytes, all of them or the metadata they begin with, between a prefix and a suffix. */
class ByteEncoder implements EventEncoder {
  readonly id: string
  readonly #starts: Readonly<Record<WatchEventType, Buffer>>
  readonly #shownUntil: (body: Buffer) => number
  readonly #bookmark: BookmarkOf
  /** The last event encoded, so that groups with different selectors share the bytes. */
  #lastEvent: StoreEvent | undefined
  #lastType: WatchEventType | undefined
  #lastFrame: Buffer | undefined

  /** `shownUntil` returns how many bytes of a body are shown; the closing brace is added. */
  constructor(kind: string, apiVersion: string, shownUntil: (body: Buffer) => number, bookmark: BookmarkOf) {
    this.id = `json ${apiVersion} ${kind}`
    this.#shownUntil = shownUntil
    this.#bookmark = bookmark
    const names = `"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)}`
    const start = (eventType: WatchEventType) => Buffer.from(`{"type":"${eventType}","object":{${names},`)
    this.#starts = { ADDED: start('ADDED'), MODIFIED: start('MODIFIED'), DELETED: start('DELETED') }
  }

  encode(event: StoreEvent, { type, isPrevious }: SelectedEvent): Buffer {
    if (isPrevious) return this.#frame(type, withRevision(event.previousBody() ?? event.body, event.revision))
    if (this.#lastEvent === event && this.#lastType === type) return this.#lastFrame!
    this.#lastEvent = event
    this.#lastType = type
    this.#lastFrame = this.#frame(type, event.body)
    return this.#lastFrame
  }
  /** One buffer for all: an initial state is mostly small objects, and a buffer for each would cost more than its bytes. */
  encodeInitial(chunk: ListChunk, allocate: Allocate): Buffer {
    const { joined, offsets, count } = chunk
    const start = this.#starts.ADDED
    const ends = new Int32Array(count)
    let length = count * (start.length + frameEnd.length - 1)
    for (let index = 0; index < count; index++) {
      const from = offsets[index]!
      const to = (offsets[index + 1] ?? joined.length + 1) - 1
      const shown = this.#shownUntil === wholeBody ? to - from - 1 : this.#shownUntil(joined.subarray(from, to))
      ends[index] = from + shown
      length += shown
    }
    const frames = allocate(length)
    let at = 0
    for (let index = 0; index < count; index++) {
      at += start.copy(frames, at)
      at += joined.copy(frames, at, offsets[index]! + 1, ends[index])
      at += frameEnd.copy(frames, at)
    }
    return frames
  }
  encodeBookmark(revision: Revision, endsInitialState = false): Buffer {
    return jsonFrame('BOOKMARK', this.#bookmark(revision, endsInitialState))
  }
  encodeError(status: StatusBody): Buffer {
    return jsonFrame('ERROR', status)
  }

  #frame(type: WatchEventType, body: Buffer): Buffer {
    const start = this.#starts[type]
    const end = this.#shownUntil(body)
    const frame = Buffer.allocUnsafe(start.length + end - 1 + frameEnd.length)
    start.copy(frame)
    body.copy(frame, start.length, 1, end)
    frameEnd.copy(frame, frame.length - frameEnd.length)
    return frame
  }
}

const jsonFrame = (type: string, object: object) => Buffer.from(`${writeJson({ type, object })}\n`)

/** Replaces the version in a stored body: an object that leaves a selection shows its old state at the version it left. */
function withRevision(body: Buffer, revision: Revision): Buffer {
  const object = fromStoredBody(body)
  const { resourceVersion: _, ...meta } = object.metadata
  return Buffer.from(writeJson({ ...object, metadata: { resourceVersion: String(revision), ...meta } }))
}

const shownBody = (event: StoreEvent, { isPrevious }: SelectedEvent): Buffer =>
  isPrevious ? withRevision(event.previousBody() ?? event.body, event.revision) : event.body

/** Any other form: the event becomes an object first, once per event and form. */
class ObjectEncoder implements EventEncoder {
  readonly id: string
  readonly outside?: OutsideConversion
  #isFirstTable = true

  constructor(
    private readonly representations: Representations,
    private readonly representation: Representation,
    private readonly type: ResourceType,
    private readonly version: CompiledVersion,
    private readonly include: IncludeObject,
    private readonly metaGroup: string,
  ) {
    const { format, as, metaVersion } = representation
    // A Table watcher gets its column definitions with its first event, so it cannot share a group.
    const unique = as === 'Table' ? ` ${representations.newTableId()}` : ''
    this.id = `${format} ${as} ${metaVersion} ${include} ${version.groupVersion} ${type.kind}${unique}`
    const areCellsOutside = as === 'Table' && representations.tables.areOutside(version)
    if (typeof type.definition.conversion === 'function' || areCellsOutside) this.outside = this.#convertFirst()
  }

  encode(event: StoreEvent, selected: SelectedEvent): Buffer {
    return this.#encodeBody(selected.type, shownBody(event, selected))
  }
  encodeInitial(chunk: ListChunk, allocate: Allocate): Buffer {
    const { type, version, representations } = this
    const { format, as } = this.representation
    if (format === 'protobuf' && as === 'object' && version.isStoredAsIs)
      return representations.protobuf.encodeStoredInitial(type.kind, version, chunk, allocate)
    return this.#encodeAdded([...bodiesOf(chunk)].map(body => type.fromStorage(fromStoredBody(body), version)))
  }
  encodeBookmark(revision: Revision, endsInitialState = false): Buffer {
    const { type, version, representations } = this
    const { as, metaVersion, format } = this.representation
    const { vendor } = representations
    const apiVersion = `${this.metaGroup}/${metaVersion}`
    if (as === 'Table') {
      const object = emptyObject(vendor, type, version, revision, endsInitialState)
      // The annotation is on the object, so the object must be included.
      const include = endsInitialState && this.include === 'None' ? 'Metadata' : this.include
      return jsonFrame('BOOKMARK', this.#table(object, include))
    }
    if (as !== 'object')
      return this.#view('BOOKMARK', bookmarkOfMetadata(vendor, apiVersion, revision, endsInitialState))
    if (format !== 'protobuf')
      return jsonFrame('BOOKMARK', bookmarkOfType(vendor, type, version, revision, endsInitialState))
    const bare = { metadata: bookmarkMetadata(vendor, revision, endsInitialState) }
    return representations.protobuf.encodeWatchEvent('BOOKMARK', type.kind, version, bare)
  }
  encodeError(status: StatusBody): Buffer {
    return this.representation.format === 'protobuf'
      ? this.representations.protobuf.encodeErrorEvent(status)
      : jsonFrame('ERROR', status)
  }

  #convertFirst(): OutsideConversion {
    const { type, version } = this
    const { as } = this.representation
    const objectsOf = async (bodies: readonly Buffer[]) => {
      const objects = await type.inVersion(bodies.map(fromStoredBody), version)
      if (as === 'Table') await this.representations.tables.prepare(type, version, objects)
      return objects
    }
    return {
      encode: async events => {
        const objects = await objectsOf(events.map(({ event, selected }) => shownBody(event, selected)))
        return objects.map((object, index) => this.#encodeObject(events[index]!.selected.type, object))
      },
      encodeInitial: async chunk => this.#encodeAdded(await objectsOf([...bodiesOf(chunk)])),
    }
  }

  #encodeBody(eventType: WatchEventType, body: Buffer): Buffer {
    const { format, as } = this.representation
    if (format === 'protobuf' && as === 'object' && this.version.isStoredAsIs)
      return this.representations.protobuf.encodeStoredEvent(eventType, this.type.kind, this.version, body)
    const [object] = this.type.inVersion([fromStoredBody(body)], this.version) as readonly [ApiObject]
    return this.#encodeObject(eventType, object)
  }
  #encodeAdded(objects: readonly ApiObject[]): Buffer {
    if (this.representation.as !== 'Table')
      return Buffer.concat(objects.map(object => this.#encodeObject('ADDED', object)))
    const first = this.#isFirstTable ? objects.slice(0, 1) : []
    const frames = first.map(object => this.#encodeObject('ADDED', object))
    return Buffer.concat([...frames, this.#encodeAddedRows(objects.slice(first.length))])
  }
  /** Tables of one row each differ in their version and row only. */
  #encodeAddedRows(objects: readonly ApiObject[]): Buffer {
    const { type, version, representations, representation, include } = this
    const { tables } = representations
    const { kind, apiVersion } = tables.start(representation.metaVersion)
    const start = `{"type":"ADDED","object":{"kind":"${kind}","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"`
    const rows = tables.rows(type, version, representation.metaVersion, objects, include)
    let text = ''
    for (const [index, row] of rows.entries()) {
      const { resourceVersion } = objects[index]!.metadata
      text += `${start}${resourceVersion}"},"columnDefinitions":null,"rows":[${JSON.stringify(row)}]}}\n`
    }
    return Buffer.from(text)
  }
  #encodeObject(eventType: WatchEventType, object: ApiObject): Buffer {
    const { type, version, representations } = this
    const { as, metaVersion, format } = this.representation
    if (as === 'Table') return jsonFrame(eventType, this.#table(object, this.include))
    if (as !== 'object') return this.#view(eventType, partialMetadata(representations.vendor, metaVersion, object))
    if (format === 'protobuf') return representations.protobuf.encodeWatchEvent(eventType, type.kind, version, object)
    return jsonFrame(eventType, { kind: type.kind, apiVersion: version.groupVersion, ...object })
  }

  /** Column definitions are sent once, with the first event. */
  #table(object: ApiObject, include: IncludeObject): object {
    const { type, version, representations, representation } = this
    const withColumns = this.#isFirstTable
    this.#isFirstTable = false
    const listMeta = { resourceVersion: object.metadata.resourceVersion }
    return representations.tables.make(
      type,
      version,
      representation.metaVersion,
      [object],
      listMeta,
      include,
      withColumns,
    )
  }

  #view(eventType: string, view: { kind: string; apiVersion: string; metadata: object }): Buffer {
    return this.representation.format === 'protobuf'
      ? this.representations.protobuf.encodeMetadataEvent(eventType, view.apiVersion, view.metadata)
      : jsonFrame(eventType, view)
  }
}
