import type { SeccompProfile } from './security-context.js'

const localhost = 'localhost/'

/** A profile as it was written in annotations before there was a field; empty when there is no way to write it. */
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
