/** For authenticators and authorizers. */
export {
  type AuthenticationSuccess,
  type AuthenticatorDefinition,
  apiAudiences,
  type Credentials,
  defineAuthenticator,
  type TokenAuthentication,
} from './authentication.js'
export {
  type AccessAttributes,
  type AccessDecision,
  type AuthorizerDefinition,
  defineAuthorizer,
  type ResourceAccess,
  type RulesOfUser,
} from './authorization.js'
export { type DerValue, derValues } from './der-values.js'
export { type AskedAuthorizer, firstOpinion, rulesOfAll } from './first-opinion.js'
export {
  allAuthenticated,
  allUnauthenticated,
  anonymousUser,
  mastersGroup,
  nodeNameOf,
  nodesGroup,
  serviceAccountUser,
} from './user.js'
