import type { X509Certificate } from 'node:crypto'

export interface CertificateSubject {
  /** Empty when there is none. */
  readonly commonName: string
  readonly organizations: readonly string[]
  /** More than one is an error. */
  readonly uids: readonly string[]
}

/** The attribute of a subject that holds the UID of a user. */
const uidAttribute = '1.3.6.1.4.1.57683.2'

/** Taken from the parsed name, never from its text form, where a value may look like another field. */
export function subjectOf(certificate: X509Certificate): CertificateSubject {
  const {
    CN: commonNames,
    O: organizations,
    [uidAttribute]: uids,
  } = certificate.toLegacyObject().subject as Readonly<Record<string, string | string[] | undefined>>
  return { commonName: listOf(commonNames).at(-1) ?? '', organizations: listOf(organizations), uids: listOf(uids) }
}

const listOf = (value: string | string[] | undefined): readonly string[] =>
  value === undefined ? [] : typeof value === 'string' ? [value] : value
