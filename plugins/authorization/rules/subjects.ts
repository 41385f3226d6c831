import type { Subject } from './schema.js'

/** The kinds of subject there are. */
export const subjectKinds = { serviceAccount: 'ServiceAccount', user: 'User', group: 'Group' } as const

/** How a subject is recognized in a request: by user name or by group. Undefined when it can match nobody. */
export function identityOf(
  subject: Subject,
  bindingNamespace: string,
): { user: string } | { group: string } | undefined {
  switch (subject.kind) {
    case subjectKinds.user:
      return { user: subject.name }
    case subjectKinds.group:
      return { group: subject.name }
    case subjectKinds.serviceAccount: {
      const namespace = subject.namespace || bindingNamespace
      return namespace === '' ? undefined : { user: `system:serviceaccount:${namespace}:${subject.name}` }
    }
    default:
      return undefined
  }
}

/** A subject in a sentence: `Group "dev"`, `ServiceAccount "robot/farm"`. */
export function describeSubject(subject: Subject, bindingNamespace: string): string {
  const name =
    subject.kind === subjectKinds.serviceAccount
      ? `${subject.name}/${subject.namespace || bindingNamespace}`
      : subject.name
  return `${subject.kind} ${JSON.stringify(name)}`
}
