import type { Vendor } from 'orch/sdk'

export const encryptionNames = (vendor: Vendor) => {
  const version = `${vendor.group('apiserver.config')}/v1`
  return {
    /** The accepted kinds of a configuration file. The second one is that of older files. */
    kinds: [`${version} EncryptionConfiguration`, 'v1 EncryptionConfig'],
    /** The prefix of every encrypted value, such as `k8s:enc:`: the first label of the domain of API groups. */
    mark: `${vendor.profile.groupDomain.split('.', 1)[0]}:enc:`,
  }
}
export type EncryptionNames = ReturnType<typeof encryptionNames>
