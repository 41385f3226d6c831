import type { StorageNames } from '../names.js'
import type { PersistentVolumeClaim } from '../persistent-volume-claims/schema.js'
import type { PersistentVolume } from '../persistent-volumes/schema.js'
import { isAnnotated } from './binding-state.js'

/** Remembers which claims have no volume yet, so that a new volume or class brings them back to mind. */
export class WaitingClaims {
  readonly #claims = new Map<string, { readonly className: string; readonly volumeName: string }>()

  /** Takes note of what became of a claim. */
  note(
    key: string,
    claim: PersistentVolumeClaim | undefined,
    className: string,
    { bindCompleted }: Pick<StorageNames, 'bindCompleted'>,
  ): void {
    if (!claim || isAnnotated(claim, bindCompleted)) this.#claims.delete(key)
    else this.#claims.set(key, { className, volumeName: claim.spec?.volumeName ?? '' })
  }

  /** Claims that may want this volume: those that name it and, if it is free, those of its class. */
  for({ metadata, spec, status }: PersistentVolume, volumeClass: string): string[] {
    const isFree = !spec?.claimRef && status?.phase === 'Available'
    return this.#keys(({ className, volumeName }) =>
      volumeName === '' ? isFree && className === volumeClass : volumeName === metadata?.name,
    )
  }

  ofClass(wanted: string): string[] {
    return this.#keys(({ className }) => className === wanted)
  }

  #keys(matches: (claim: { className: string; volumeName: string }) => boolean): string[] {
    return [...this.#claims].filter(([, claim]) => matches(claim)).map(([key]) => key)
  }
}
