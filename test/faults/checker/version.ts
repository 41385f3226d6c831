/** A key as one write left it. */
export interface Version {
  readonly key: string
  readonly revision: number
  /** Unique to the write. */
  readonly value: string
  /** Unique to one life of the key, from its creation to its deletion. */
  readonly uid: string
}

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED'

/** A committed write as watches deliver it. A deletion has the deleted object, with the revision of the deletion. */
export interface CommittedEvent extends Version {
  readonly type: EventType
}

export const eventText = ({ revision, type, key, value }: CommittedEvent): string =>
  `${revision} ${type} ${key} ${value}`
export const versionText = ({ revision, key, value }: Version): string => `${key} at ${revision} (${value})`

export const isSameVersion = (one: Version, other: Version): boolean =>
  one.key === other.key && one.revision === other.revision && one.value === other.value && one.uid === other.uid
