import { existsSync } from 'node:fs'
import { orchProfile, Vendor, type VendorProfile, vendorProfiles } from 'orch/sdk'
import { type ClientConfig, clientConfigPaths, type Kinds } from 'orch/sdk/client'
import { UsageError } from '../usage-error.js'

/** Groups that every full server of this API has below its own domain. */
const tellingGroups = ['authentication.', 'authorization.', 'certificates.', 'coordination.', 'storage.', 'events.']

/** The vendor of a name (`kubernetes`) or a domain (`acme.test`). */
export function vendorNamed(name: string): Vendor {
  const known = vendorProfiles[name] ?? Object.values(vendorProfiles).find(one => one.groupDomain === name)
  if (known) return new Vendor(known)
  if (!name.includes('.'))
    throw new UsageError(`--vendor must be ${Object.keys(vendorProfiles).join(', ')} or a domain, not "${name}"`)
  return new Vendor(profileOfDomain(name))
}

/** What can be told of a vendor from its domain. */
function profileOfDomain(domain: string): VendorProfile {
  const name = domain.split('.')[0] ?? domain
  return { ...orchProfile, name, domain, groupDomain: domain, extensionPrefix: `x-${name}-` }
}

/** Whose server is this? Told by the domain of its groups; undefined when it has none of the telling ones. */
export function vendorOf({ all, unavailable }: Kinds): Vendor | undefined {
  const groups = [...all.map(({ group }) => group), ...unavailable.map(one => one.split('/')[0] ?? '')]
  for (const prefix of tellingGroups) {
    const group = groups.find(one => one.startsWith(prefix))
    if (group !== undefined) return vendorNamed(group.slice(prefix.length))
  }
  return undefined
}

/** Whose client config to read: the first vendor whose variable is set or whose file is there. */
export function vendorOfConfig(environment: Readonly<Record<string, string | undefined>>): Vendor {
  const vendors = Object.values(vendorProfiles).map(profile => new Vendor(profile))
  return (
    vendors.find(({ profile }) => environment[profile.env.clientConfig]) ??
    vendors.find(vendor => clientConfigPaths({ vendor, environment }).some(path => existsSync(path))) ??
    new Vendor(orchProfile)
  )
}

/** Credential plugins speak the words of a vendor: the config says of which. */
export function vendorOfCredentials(config: ClientConfig): Vendor | undefined {
  const versions = [...config.users.values()].map(user => user.exec?.apiVersion ?? '')
  return Object.values(vendorProfiles)
    .map(profile => new Vendor(profile))
    .find(vendor => versions.some(version => version.startsWith(`${vendor.group('client.authentication')}/`)))
}
