import type { AppArmorProfile } from '../security-context.js'

const localhost = 'localhost/'

/** AppArmor profiles as annotations, which they were before there was a field for them. */
export const appArmorAnnotation = {
  /** What the annotation says; nothing for an invalid profile. */
  of({ type, localhostProfile }: AppArmorProfile): string | undefined {
    if (type === 'Unconfined') return 'unconfined'
    if (type === 'RuntimeDefault') return 'runtime/default'
    return type === 'Localhost' && localhostProfile !== undefined ? `${localhost}${localhostProfile}` : undefined
  },
  /** The profile that an annotation means. It may be invalid. */
  read(annotation: string): AppArmorProfile | undefined {
    if (annotation === 'unconfined') return { type: 'Unconfined' }
    if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
    const name = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : ''
    return name === '' ? undefined : { type: 'Localhost', localhostProfile: name }
  },
  /** Whether it names a file of the node. */
  namesFile: (annotation: string): boolean => annotation.startsWith(localhost),
} as const
