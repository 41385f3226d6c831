import { Type } from 'orch/sdk'

export const EncryptionOptions = Type.Object({
  encryptionProviderConfig: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'File with an EncryptionConfiguration: the resources to encrypt, and their keys.',
    }),
  ),
  encryptionProviderConfigAutomaticReload: Type.Boolean({
    default: true,
    description: 'Reload --encryption-provider-config when it changes.',
  }),
})
export type EncryptionOptions = typeof EncryptionOptions.static
