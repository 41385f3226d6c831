import { ApiError, type StatusDetails } from 'orch/sdk'

/** Errors about the request itself, which only the kernel makes; those for plugins are in the sdk. */

/** 405: the path has no such method. */
export const methodNotAllowed = (): ApiError =>
  new ApiError(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {})
/** 406: none of the requested representations is available. */
export const notAcceptable = (message: string, details?: StatusDetails): ApiError =>
  new ApiError(406, 'NotAcceptable', message, details)
/** 410: the requested revision is no longer kept; list again, or continue with the token where there is one. */
export const gone = (message: string, continueToken?: string): ApiError =>
  new ApiError(410, 'Expired', message, undefined, { continueToken })
/** 415: the format of the body is not supported. */
export const unsupportedMediaType = (message: string, details: StatusDetails = {}): ApiError =>
  new ApiError(415, 'UnsupportedMediaType', message, details)
