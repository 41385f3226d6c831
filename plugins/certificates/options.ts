import { parseDuration, type Static, Type } from 'orch/sdk'

const file = (description: string) => Type.Optional(Type.String({ minLength: 1, description }))
const own = (signer: string) => `of a separate CA for ${signer}; requires the other file, too.`

/** Each is a config key and a flag: `clusterSigningDuration` is `--cluster-signing-duration`. */
export const CertificateOptions = Type.Object({
  clusterSigningCertFile: file('PEM file with the certificate of the signing CA; the CA of the server by default.'),
  clusterSigningKeyFile: file('PEM file with the private key of the signing CA.'),
  clusterSigningDuration: Type.String({
    format: 'duration',
    default: '8760h',
    description: 'Maximum lifetime of signed certificates; requests may ask for less.',
  }),
  clusterSigningApiserverClientCertFile: file(`Certificate ${own('clients')}`),
  clusterSigningApiserverClientKeyFile: file(`Private key ${own('clients')}`),
  clusterSigningNodeagentClientCertFile: file(`Certificate ${own('node agents as clients')}`),
  clusterSigningNodeagentClientKeyFile: file(`Private key ${own('node agents as clients')}`),
  clusterSigningNodeagentServingCertFile: file(`Certificate ${own('node agents as servers')}`),
  clusterSigningNodeagentServingKeyFile: file(`Private key ${own('node agents as servers')}`),
  clusterSigningLegacyUnknownCertFile: file(`Certificate ${own('the legacy signer')}`),
  clusterSigningLegacyUnknownKeyFile: file(`Private key ${own('the legacy signer')}`),
})
export type CertificateOptions = Static<typeof CertificateOptions>

/** The shortest lifetime that can be requested. */
const minLifetimeMs = 600_000

/** The maximum lifetime of a certificate. Throws if it is below the minimum. */
export function maxLifetimeOf({ clusterSigningDuration }: CertificateOptions): number {
  const maxLifetimeMs = parseDuration(clusterSigningDuration)
  if (maxLifetimeMs < minLifetimeMs) throw new Error('--cluster-signing-duration must be at least 10m')
  return maxLifetimeMs
}
