import type { SeccompProfile } from './security-context.js'

const localhost = 'localhost/'

/** A profile in the form of the annotations that preceded the field; empty if it has no such form. */
export function seccompAnnotationOf({ type, localhostProfile }: SeccompProfile): string {
  if (type === 'Unconfined') return 'unconfined'
  if (type === 'RuntimeDefault') return 'runtime/default'
  return type === 'Localhost' && localhostProfile !== undefined ? `${localhost}${localhostProfile}` : ''
}

/** The profile that an annotation means; undefined when it means none. */
export function seccompProfileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  if (annotation === 'runtime/default' || annotation === 'docker/default') return { type: 'RuntimeDefault' }
  const profile = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : ''
  return profile === '' ? undefined : { type: 'Localhost', localhostProfile: profile }
}
