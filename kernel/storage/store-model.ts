import type { Revision, StoreEventType, Write } from 'orch/sdk/host'

/** What a version of an object is to the model: its value and the revision that wrote it. */
export interface ModelVersion {
  readonly key: string
  readonly value: string
  readonly modRevision: Revision
}
export interface ModelEvent {
  readonly revision: Revision
  readonly type: StoreEventType
  readonly key: string
  readonly value: string
  readonly previous: string | undefined
}
export type ModelWrite = Pick<Write, 'key' | 'expect'> & { readonly value: string | undefined }

const byKey = (one: ModelVersion, other: ModelVersion): number =>
  Buffer.compare(Buffer.from(one.key), Buffer.from(other.key))

/** The simplest possible store: it keeps a copy of every state. */
export class StoreModel {
  revision: Revision
  compacted: Revision
  readonly events: ModelEvent[] = []
  readonly #states = new Map<Revision, readonly ModelVersion[]>()

  constructor(revision: Revision) {
    this.revision = revision
    this.compacted = revision
    this.#states.set(revision, [])
  }

  stateAt = (revision: Revision): readonly ModelVersion[] => this.#states.get(revision) ?? []
  get = (key: string): ModelVersion | undefined => this.stateAt(this.revision).find(version => version.key === key)

  /** Undefined when the precondition does not hold. */
  write({ key, value, expect }: ModelWrite): Revision | undefined {
    const stored = this.get(key)
    if (expect !== undefined && expect !== (stored?.modRevision ?? 0)) return undefined
    if (value === undefined && stored === undefined) return undefined
    const others = this.stateAt(this.revision).filter(version => version.key !== key)
    const revision = ++this.revision
    const written = value === undefined ? [] : [{ key, value, modRevision: revision }]
    this.#states.set(revision, [...others, ...written].sort(byKey))
    const type = value === undefined ? 'delete' : stored === undefined ? 'create' : 'update'
    this.events.push({ revision, type, key, value: value ?? stored?.value ?? '', previous: stored?.value })
    return revision
  }

  list = (prefix: string, revision: Revision): readonly ModelVersion[] =>
    this.stateAt(revision).filter(({ key }) => key.startsWith(prefix))
  history = (prefix: string, from: Revision, to: Revision): readonly ModelEvent[] =>
    this.events.filter(({ key, revision }) => revision > from && revision <= to && key.startsWith(prefix))
  compact(revision: Revision): void {
    this.compacted = Math.max(this.compacted, Math.min(revision, this.revision))
  }
}
