import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AuthenticationOptions } from './options.js'

const options = suite('defaults of the authentication flags')
const { properties } = AuthenticationOptions
const defaultOf = (name: keyof typeof properties): unknown => properties[name].default

options(
  '--authentication-token-webhook-cache-ttl is 2 minutes, --authentication-token-webhook-version is v1beta1',
  () => {
    assert.is(defaultOf('authenticationTokenWebhookCacheTtl'), '2m')
    assert.is(defaultOf('authenticationTokenWebhookVersion'), 'v1beta1')
  },
)
options('--oidc-username-claim is sub, and there is no prefix for groups, groups claim or required claim', () => {
  assert.is(defaultOf('oidcUsernameClaim'), 'sub')
  assert.is(defaultOf('oidcUsernamePrefix'), undefined)
  assert.equal([defaultOf('oidcGroupsPrefix'), defaultOf('oidcGroupsClaim')], ['', undefined])
  assert.equal(defaultOf('oidcRequiredClaim'), {})
})
options('anonymous requests and the lookup of tokens are on, bootstrap tokens are off', () => {
  assert.is(defaultOf('anonymousAuth'), true)
  assert.is(defaultOf('serviceAccountLookup'), true)
  assert.is(defaultOf('enableBootstrapTokenAuth'), false)
})
options('no file is read and no proxy is trusted by default', () => {
  for (const name of [
    'clientCaFile',
    'tokenAuthFile',
    'oidcIssuerUrl',
    'oidcCaFile',
    'requestheaderClientCaFile',
  ] as const)
    assert.is(defaultOf(name), undefined, name)
  assert.equal(defaultOf('serviceAccountKeyFile'), [])
})
options.run()
