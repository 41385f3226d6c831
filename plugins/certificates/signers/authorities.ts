import { readFileSync } from 'node:fs'
import { type ServerFacts, UnavailableHere } from 'orch/sdk'
import type { CertificateOptions } from '../options.js'
import { type Authority, checkAuthority } from '../signing/authority.js'
import type { BuiltInSigner } from './built-in-signers.js'

interface AuthorityFiles {
  readonly certFile: string
  readonly keyFile: string
}
/** The files of each signer's CA; undefined means the CA of the server. */
export type SigningFiles = Readonly<Record<BuiltInSigner, AuthorityFiles | undefined>>

/** Reads the options: a signer's own files, else those for all, else none. Throws when one of a pair is missing. */
export function signingFiles(options: CertificateOptions): SigningFiles {
  const forAll = pair('cluster-signing', options.clusterSigningCertFile, options.clusterSigningKeyFile)
  return {
    client:
      pair(
        'cluster-signing-apiserver-client',
        options.clusterSigningApiserverClientCertFile,
        options.clusterSigningApiserverClientKeyFile,
      ) ?? forAll,
    nodeAgentClient:
      pair(
        'cluster-signing-nodeagent-client',
        options.clusterSigningNodeagentClientCertFile,
        options.clusterSigningNodeagentClientKeyFile,
      ) ?? forAll,
    nodeAgentServing:
      pair(
        'cluster-signing-nodeagent-serving',
        options.clusterSigningNodeagentServingCertFile,
        options.clusterSigningNodeagentServingKeyFile,
      ) ?? forAll,
    legacyUnknown:
      pair(
        'cluster-signing-legacy-unknown',
        options.clusterSigningLegacyUnknownCertFile,
        options.clusterSigningLegacyUnknownKeyFile,
      ) ?? forAll,
  }
}

function pair(flag: string, certFile: string | undefined, keyFile: string | undefined): AuthorityFiles | undefined {
  if (certFile !== undefined && keyFile !== undefined) return { certFile, keyFile }
  if (certFile === undefined && keyFile === undefined) return undefined
  throw new Error(`--${flag}-cert-file and --${flag}-key-file must be set together`)
}

/** The CA of a signer. Files are read each time, because they may be replaced while the server runs. */
export function authorityOf(files: AuthorityFiles | undefined, server: ServerFacts): Authority {
  if (files) return readAuthority(files)
  const { caCertificatePem, caKeyPem } = server
  if (caCertificatePem === undefined || caKeyPem === undefined)
    throw new UnavailableHere(
      "this process does not have the server's CA: give --cluster-signing-cert-file and --cluster-signing-key-file",
    )
  return { certificatePem: caCertificatePem, keyPem: caKeyPem }
}

function readAuthority({ certFile, keyFile }: AuthorityFiles): Authority {
  const authority = { certificatePem: readFileSync(certFile, 'utf8'), keyPem: readFileSync(keyFile, 'utf8') }
  try {
    checkAuthority(authority)
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    throw new Error(`${certFile}, ${keyFile}: ${problem}`, { cause: error })
  }
  return authority
}
