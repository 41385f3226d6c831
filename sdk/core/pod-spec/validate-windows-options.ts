import { addAll, type FieldError, invalidValue } from '../../resource/field-errors.js'
import { dnsLabelMaxLength, isDns1123Subdomain } from '../../validation/object-names.js'
import type { Container } from '../container.js'
import type { PodSpec } from '../pod-spec.js'
import type { WindowsSecurityContextOptions } from '../security-context.js'

const maxCredentialSpecBytes = 64 * 1024
const maxDomainLength = 256
const maxUserLength = 104
const netbiosForm = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/u
const dnsLabelForm = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/i
const isDnsForm = (domain: string) =>
  domain.split('.').every(label => label.length <= dnsLabelMaxLength && dnsLabelForm.test(label))
const forbiddenInUser = /["/\\:;|=,+*?<>@[\]]/

/** Settings only Windows has, if any. */
export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  field: string,
): FieldError[] {
  if (options === undefined) return []
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = options
  const errors: FieldError[] = []
  if (gmsaCredentialSpecName !== undefined)
    addAll(
      errors,
      isDns1123Subdomain(gmsaCredentialSpecName).map(text =>
        invalidValue(`${field}.gmsaCredentialSpecName`, gmsaCredentialSpecName, text),
      ),
    )
  if (gmsaCredentialSpec === '')
    errors.push(invalidValue(`${field}.gmsaCredentialSpec`, '', 'gmsaCredentialSpec cannot be an empty string'))
  if (gmsaCredentialSpec !== undefined && Buffer.byteLength(gmsaCredentialSpec) > maxCredentialSpecBytes)
    errors.push(
      invalidValue(
        `${field}.gmsaCredentialSpec`,
        gmsaCredentialSpec,
        `gmsaCredentialSpec size must be under ${maxCredentialSpecBytes / 1024} KiB`,
      ),
    )
  if (runAsUserName !== undefined)
    addAll(
      errors,
      checkUserName(runAsUserName).map(text => invalidValue(`${field}.runAsUserName`, runAsUserName, text)),
    )
  return errors
}

/** `user` or `DOMAIN\user`. */
function checkUserName(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (/[\x00-\x1f\x7f]/.test(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const [domain, user] = parts.length === 2 ? parts : [undefined, parts[0]]
  return [...(domain === undefined ? [] : checkDomain(domain)), ...checkUser(user ?? '')]
}

function checkDomain(domain: string): string[] {
  const broken: string[] = []
  if (Buffer.byteLength(domain) >= maxDomainLength)
    broken.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`)
  if (!netbiosForm.test(domain) && !isDnsForm(domain))
    broken.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  return broken
}

function checkUser(user: string): string[] {
  const broken: string[] = []
  if (user === '') broken.push("runAsUserName's User cannot be empty")
  if (Buffer.byteLength(user) > maxUserLength)
    broken.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`)
  if (/^[. ]+$/.test(user)) broken.push("runAsUserName's User cannot contain only periods or spaces")
  if (forbiddenInUser.test(user))
    broken.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  return broken
}

/** Processes of a Windows host: a Pod runs only such or none, and with the network of the host. `field` is the spec. */
export function validateHostProcesses(spec: PodSpec, field: string): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const errors: FieldError[] = []
  let containers = 0
  let hostProcesses = 0
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const)
    ((spec[list] ?? []) as Container[]).forEach(({ securityContext }, i) => {
      const own = securityContext?.windowsOptions?.hostProcess
      containers++
      if (own ?? ofPod) hostProcesses++
      if (ofPod === undefined || own === undefined || own === ofPod) return
      const at = `${field}.${list}[${i}].securityContext.windowsOptions.hostProcess`
      errors.push(invalidValue(at, own, `must be that of the Pod if both are specified, which is ${ofPod}`))
    })
  if (hostProcesses === 0) return errors
  if (hostProcesses !== containers)
    errors.push(invalidValue(field, '', 'all containers must be hostProcess containers if any is'))
  if (!spec.hostNetwork)
    errors.push(invalidValue(`${field}.hostNetwork`, false, 'must be true if the Pod has hostProcess containers'))
  return errors
}
