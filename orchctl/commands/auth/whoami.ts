import { X509Certificate } from 'node:crypto'
import { printFlags } from '../../arguments/shared-flags.js'
import type { Call, Command } from '../../command.js'
import { formatOf } from '../../output/format.js'
import { ObjectPrinter } from '../../output/print-objects.js'
import { TextTable } from '../../output/text-table.js'
import type { Session } from '../../session/session.js'

interface UserInfo {
  readonly username?: string
  readonly uid?: string
  readonly groups?: readonly string[]
  readonly extra?: Readonly<Record<string, readonly string[]>>
}

export const whoami: Command = {
  name: 'auth whoami',
  summary: 'Show your identity on the server.',
  usage: '[flags]',
  examples: [['Your name and groups', 'auth whoami']],
  flags: printFlags,
  completes: 'nothing',
  async run(call) {
    const { flags, terminal } = call
    const format = formatOf(flags, ['yaml', 'json', 'jsonpath', 'jsonpath-as-json', 'go-template'])
    const user = await userOf(call, await call.session())
    const answer = { kind: 'SelfSubjectReview', status: { userInfo: user } }
    if (format.form !== 'table') return new ObjectPrinter(terminal, format).print([{ object: answer as never }])
    const rows = [
      ['Username', user.username ?? ''],
      ...(user.uid ? [['UID', user.uid]] : []),
      ...(user.groups?.length ? [['Groups', `[${user.groups.join(' ')}]`]] : []),
      ...Object.entries(user.extra ?? {}).map(([key, values]) => [`Extra: ${key}`, `[${values.join(' ')}]`]),
    ]
    terminal.write(new TextTable(['Attribute', 'Value'], terminal.paint).print(rows, true))
  },
}

/** Sends a SelfSubjectReview if the server supports it (Kubernetes 1.26 and later); otherwise derives the user from the credentials. */
async function userOf({ flags }: Call, session: Session): Promise<UserInfo> {
  const group = (await session.vendor()).group('authentication')
  const kind = (await session.kinds()).findResource(group, 'selfsubjectreviews')
  const review = async (of: string, version: string, spec: object) => {
    const object = { apiVersion: `${group}/${version}`, kind: of, metadata: {}, ...spec }
    const answer = await session.client
      .resource<unknown>({ group, version, resource: `${of.toLowerCase()}s` })
      .create(object)
    return (answer as { status?: { userInfo?: UserInfo; user?: UserInfo } }).status ?? {}
  }
  if (kind) return (await review('SelfSubjectReview', kind.version, {})).userInfo ?? {}
  const impersonated = flags.text('as')
  if (impersonated !== undefined)
    return { username: impersonated, groups: [...flags.list('as-group'), 'system:authenticated'] }
  const { credentials = {} } = session.connection
  const { token, clientCertificatePem } = 'current' in credentials ? await credentials.current() : credentials
  if (clientCertificatePem !== undefined) return userOfCertificate(clientCertificatePem)
  if (token !== undefined) return (await review('TokenReview', 'v1', { spec: { token } })).user ?? {}
  return { username: 'system:anonymous', groups: ['system:unauthenticated'] }
}

/** The common name of a certificate is the user, its organizations are the groups. */
function userOfCertificate(pem: string): UserInfo {
  const parts = new X509Certificate(pem).subject.split('\n')
  const valuesOf = (key: string) =>
    parts.filter(part => part.startsWith(`${key}=`)).map(part => part.slice(key.length + 1))
  return { username: valuesOf('CN')[0] ?? '', groups: [...valuesOf('O'), 'system:authenticated'] }
}
