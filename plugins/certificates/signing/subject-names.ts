import { derValues } from 'orch/sdk'

/** The parts of a subject that become a user and its groups. */
export interface SubjectNames {
  readonly commonNames: readonly string[]
  readonly organizations: readonly string[]
}

const commonName = Buffer.from([0x55, 0x04, 0x03])
const organization = Buffer.from([0x55, 0x04, 0x0a])
const encodings: Readonly<Record<number, BufferEncoding>> = { 12: 'utf8', 19: 'latin1', 22: 'latin1' }

/**
 * The names in a DER-encoded X.501 Name. Only string types that every parser reads alike are accepted: a name must mean
 * to the TLS stack, which turns it into a user and groups, exactly what it means here, where it is judged.
 */
export function subjectNames(name: Buffer): SubjectNames {
  const attributes = derValues(derValues(name)[0]?.content ?? Buffer.alloc(0))
    .flatMap(({ content }) => derValues(content))
    .map(({ content }) => derValues(content))
  const textsOf = (type: Buffer) =>
    attributes
      .filter(([identifier]) => identifier?.content.equals(type))
      .map(([, value]) => {
        const encoding = encodings[value?.tag ?? 0]
        if (encoding === undefined) throw new Error('the subject has a name that is no UTF8String or PrintableString')
        const text = value?.content.toString(encoding) ?? ''
        if (text.includes('\0')) throw new Error('the subject has a name with a zero byte')
        return text
      })
  return { commonNames: textsOf(commonName), organizations: textsOf(organization) }
}
