import { join } from 'node:path'
import type { AtStep } from 'orch/sdk/host'
import { authorityValidForMs, ensurePki, type PkiRequest } from './ensure-pki.js'
import { frontProxyFiles } from './front-proxy.js'
import { keptAuthority } from './kept-keys.js'
import { readIfThere, writePrivateFile } from './private-files.js'
import { replaceFiles } from './replace-files.js'
import { certificatesIn, chainFile, firstCertificate, successorOf } from './rotated-authority.js'

export interface CertificateAction {
  /** Files of `pki/` that are replaced. */
  readonly replaces: readonly string[]
  readonly message: string
  /** Writes some of the new files itself; the others are then issued by the current CA. */
  prepare?(folder: string, made: string, now: number): Promise<void>
}

/** The files are already as the action would make them. */
export class NothingToReplace extends Error {}

const pairs = (name: string) => [`${name}.crt`, `${name}.key`]
const identities = ['serving.crt', ...pairs('admin'), ...pairs(frontProxyFiles.client)]
/** The actions of `orch certs`, by name. */
export const certificateActions: Readonly<Record<string, CertificateAction>> = {
  renew: {
    replaces: identities,
    message: 'Renewed the certificates with the same CA; the next start writes the client config of the administrator.',
  },
  'rotate-ca': {
    replaces: ['ca.crt', 'ca.key', chainFile, ...identities],
    message:
      'Created a new CA, which signs from now on. Clients that trust the old one, and certificates that it signed, keep working:\n' +
      'start the server, distribute its pki/ca.crt and new certificates to all clients, and then run orch certs retire-old-ca.',
    async prepare(folder, made, now) {
      const before = keptAuthority(folder, true, now)!
      const chain = readIfThere(join(folder, chainFile))
      const files = await successorOf(before, chain, { now, validForMs: authorityValidForMs })
      for (const [name, text] of Object.entries(files)) writePrivateFile(join(made, name), text)
    },
  },
  'retire-old-ca': {
    replaces: ['ca.crt', chainFile, 'serving.crt'],
    message:
      'From the next start on only the newest CA is trusted, and only clients that trust it can connect. That start also writes the client config of the administrator.',
    async prepare(folder, made, now) {
      const { certificatePem } = keptAuthority(folder, true, now)!
      if (certificatesIn(certificatePem).length === 1)
        throw new NothingToReplace('there is no old CA: pki/ca.crt has only the one that signs')
      writePrivateFile(join(made, 'ca.crt'), firstCertificate(certificatePem))
    },
  },
  'new-ca': {
    replaces: ['ca.crt', 'ca.key', chainFile, ...pairs(frontProxyFiles.authority), ...identities],
    message:
      'Created a new CA; nothing that the old one signed is valid any more. Start the server, and distribute its pki/ca.crt and new client certificates to all clients.',
  },
  'new-serving-key': {
    replaces: ['serving.crt', 'serving.key', 'service-account.key', 'service-account.pub'],
    message: 'Created a new serving key. Tokens of service accounts signed with the old key are no longer valid.',
  },
}

/** Replaces files of `pki/`, all or none. Returns where the old ones are. */
export function replaceCertificates(action: CertificateAction, request: PkiRequest, at?: AtStep): Promise<string> {
  const folder = join(request.dataDir, 'pki')
  const make = async (dataDir: string) => {
    await action.prepare?.(folder, join(dataDir, 'pki'), request.now)
    await ensurePki({ ...request, dataDir })
  }
  return replaceFiles(folder, action.replaces, make, at)
}
