import { ApiError, badRequest, tooLarge } from 'orch/sdk'
import { applyJsonPatch, JsonPatchError } from '../../libs/json-patch/index.js'

/** Applies the JSON Patch of a request. Its errors become API errors. */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  try {
    return applyJsonPatch(document, patch)
  } catch (error) {
    throw error instanceof JsonPatchError ? answerTo(error) : error
  }
}

function answerTo({ problem, message }: JsonPatchError): ApiError {
  if (problem === 'malformed') return badRequest(`error decoding patch: ${message}`)
  if (problem === 'too-large') return tooLarge(message)
  return new ApiError(422, 'Invalid', `the server rejected our request due to an error in our request: ${message}`, {})
}
