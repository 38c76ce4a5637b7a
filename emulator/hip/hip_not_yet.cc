// The HIP functions that the embedded device does not have yet.
#include "emulator/hip/hip_call.h"

namespace rocxla::emu {
namespace {
hipError_t NotYet() { return Fail(hipErrorNotSupported, "the embedded device does not have this function yet"); }
}  // namespace

namespace embedded {
hipError_t hipPeekAtLastError() { return NotYet(); }
hipError_t hipDeviceGet(hipDevice_t*, int) { return NotYet(); }
hipError_t hipDeviceGetUuid(hipUUID*, hipDevice_t) { return NotYet(); }
hipError_t hipDeviceGetByPCIBusId(int*, const char*) { return NotYet(); }
hipError_t hipSetDeviceFlags(unsigned) { return NotYet(); }
hipError_t hipGetDeviceFlags(unsigned*) { return NotYet(); }
hipError_t hipDeviceReset() { return NotYet(); }
hipError_t hipDeviceCanAccessPeer(int*, int, int) { return NotYet(); }
hipError_t hipDeviceEnablePeerAccess(int, unsigned) { return NotYet(); }
hipError_t hipDeviceDisablePeerAccess(int) { return NotYet(); }
hipError_t hipDeviceGetP2PAttribute(int*, hipDeviceP2PAttr, int, int) { return NotYet(); }
hipError_t hipExtGetLinkTypeAndHopCount(int, int, uint32_t*, uint32_t*) { return NotYet(); }
hipError_t hipExtMallocWithFlags(void**, size_t, unsigned) { return NotYet(); }
hipError_t hipHostRegister(void*, size_t, unsigned) { return NotYet(); }
hipError_t hipHostUnregister(void*) { return NotYet(); }
hipError_t hipHostGetDevicePointer(void**, void*, unsigned) { return NotYet(); }
hipError_t hipHostGetFlags(unsigned*, void*) { return NotYet(); }
hipError_t hipMemAdvise(const void*, size_t, hipMemoryAdvise, int) { return NotYet(); }
hipError_t hipMemPrefetchAsync(const void*, size_t, int, hipStream_t) { return NotYet(); }
hipError_t hipPointerGetAttributes(hipPointerAttribute_t*, const void*) { return NotYet(); }
hipError_t hipDrvPointerGetAttributes(unsigned, hipPointer_attribute*, void**, hipDeviceptr_t) { return NotYet(); }
hipError_t hipMemGetAddressRange(hipDeviceptr_t*, size_t*, hipDeviceptr_t) { return NotYet(); }
hipError_t hipMemcpyHtoD(hipDeviceptr_t, void*, size_t) { return NotYet(); }
hipError_t hipMemcpyDtoH(void*, hipDeviceptr_t, size_t) { return NotYet(); }
hipError_t hipMemcpyDtoD(hipDeviceptr_t, hipDeviceptr_t, size_t) { return NotYet(); }
hipError_t hipMemcpyHtoDAsync(hipDeviceptr_t, void*, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMemcpyDtoHAsync(void*, hipDeviceptr_t, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMemcpyDtoDAsync(hipDeviceptr_t, hipDeviceptr_t, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMemcpyPeer(void*, int, const void*, int, size_t) { return NotYet(); }
hipError_t hipMemcpyPeerAsync(void*, int, const void*, int, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, hipMemcpyKind) { return NotYet(); }
hipError_t hipMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, hipMemcpyKind, hipStream_t) {
  return NotYet();
}
hipError_t hipMemset(void*, int, size_t) { return NotYet(); }
hipError_t hipMemsetD8(hipDeviceptr_t, unsigned char, size_t) { return NotYet(); }
hipError_t hipMemsetD8Async(hipDeviceptr_t, unsigned char, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMemsetD16(hipDeviceptr_t, unsigned short, size_t) { return NotYet(); }
hipError_t hipMemsetD16Async(hipDeviceptr_t, unsigned short, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMemsetD32(hipDeviceptr_t, int, size_t) { return NotYet(); }
hipError_t hipMemset2D(void*, size_t, int, size_t, size_t) { return NotYet(); }
hipError_t hipMemset2DAsync(void*, size_t, int, size_t, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMallocAsync(void**, size_t, hipStream_t) { return NotYet(); }
hipError_t hipMallocFromPoolAsync(void**, size_t, hipMemPool_t, hipStream_t) { return NotYet(); }
hipError_t hipFreeAsync(void*, hipStream_t) { return NotYet(); }
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t*, int) { return NotYet(); }
hipError_t hipDeviceGetMemPool(hipMemPool_t*, int) { return NotYet(); }
hipError_t hipDeviceSetMemPool(int, hipMemPool_t) { return NotYet(); }
hipError_t hipMemPoolCreate(hipMemPool_t*, const hipMemPoolProps*) { return NotYet(); }
hipError_t hipMemPoolDestroy(hipMemPool_t) { return NotYet(); }
hipError_t hipMemPoolTrimTo(hipMemPool_t, size_t) { return NotYet(); }
hipError_t hipMemPoolSetAttribute(hipMemPool_t, hipMemPoolAttr, void*) { return NotYet(); }
hipError_t hipMemPoolGetAttribute(hipMemPool_t, hipMemPoolAttr, void*) { return NotYet(); }
hipError_t hipMemPoolSetAccess(hipMemPool_t, const hipMemAccessDesc*, size_t) { return NotYet(); }
hipError_t hipMemPoolGetAccess(hipMemAccessFlags*, hipMemPool_t, hipMemLocation*) { return NotYet(); }
hipError_t hipMemGetAllocationGranularity(size_t*, const hipMemAllocationProp*, hipMemAllocationGranularity_flags) {
  return NotYet();
}
hipError_t hipMemAddressReserve(void**, size_t, size_t, void*, unsigned long long) { return NotYet(); }
hipError_t hipMemAddressFree(void*, size_t) { return NotYet(); }
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t*, size_t, const hipMemAllocationProp*, unsigned long long) {
  return NotYet();
}
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t) { return NotYet(); }
hipError_t hipMemMap(void*, size_t, size_t, hipMemGenericAllocationHandle_t, unsigned long long) { return NotYet(); }
hipError_t hipMemUnmap(void*, size_t) { return NotYet(); }
hipError_t hipMemSetAccess(void*, size_t, const hipMemAccessDesc*, size_t) { return NotYet(); }
hipError_t hipMemGetAccess(unsigned long long*, const hipMemLocation*, void*) { return NotYet(); }
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t*, void*) { return NotYet(); }
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp*, hipMemGenericAllocationHandle_t) {
  return NotYet();
}
hipError_t hipStreamCreate(hipStream_t*) { return NotYet(); }
hipError_t hipStreamCreateWithFlags(hipStream_t*, unsigned) { return NotYet(); }
hipError_t hipStreamGetFlags(hipStream_t, unsigned*) { return NotYet(); }
hipError_t hipStreamGetPriority(hipStream_t, int*) { return NotYet(); }
hipError_t hipStreamGetDevice(hipStream_t, hipDevice_t*) { return NotYet(); }
hipError_t hipStreamAddCallback(hipStream_t, hipStreamCallback_t, void*, unsigned) { return NotYet(); }
hipError_t hipStreamWriteValue32(hipStream_t, void*, uint32_t, unsigned) { return NotYet(); }
hipError_t hipStreamWriteValue64(hipStream_t, void*, uint64_t, unsigned) { return NotYet(); }
hipError_t hipStreamWaitValue32(hipStream_t, void*, uint32_t, unsigned, uint32_t) { return NotYet(); }
hipError_t hipStreamWaitValue64(hipStream_t, void*, uint64_t, unsigned, uint64_t) { return NotYet(); }
hipError_t hipEventCreate(hipEvent_t*) { return NotYet(); }
hipError_t hipFuncSetAttribute(const void*, hipFuncAttribute, int) { return NotYet(); }
hipError_t hipModuleOccupancyMaxPotentialBlockSize(int*, int*, hipFunction_t, size_t, int) { return NotYet(); }
hipError_t hipModuleLaunchCooperativeKernel(hipFunction_t, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                            unsigned, hipStream_t, void**) {
  return NotYet();
}
hipError_t hipStreamBeginCapture(hipStream_t, hipStreamCaptureMode) { return NotYet(); }
hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t*) { return NotYet(); }
hipError_t hipStreamIsCapturing(hipStream_t, hipStreamCaptureStatus*) { return NotYet(); }
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t, hipStreamCaptureStatus*, unsigned long long*, hipGraph_t*,
                                      const hipGraphNode_t**, size_t*) {
  return NotYet();
}
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode*) { return NotYet(); }
hipError_t hipGraphCreate(hipGraph_t*, unsigned) { return NotYet(); }
hipError_t hipGraphDestroy(hipGraph_t) { return NotYet(); }
hipError_t hipGraphClone(hipGraph_t*, hipGraph_t) { return NotYet(); }
hipError_t hipGraphAddKernelNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t,
                                 const hipKernelNodeParams*) {
  return NotYet();
}
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t, void*, const void*,
                                   size_t, hipMemcpyKind) {
  return NotYet();
}
hipError_t hipGraphAddMemsetNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t, const hipMemsetParams*) {
  return NotYet();
}
hipError_t hipGraphAddHostNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t, const hipHostNodeParams*) {
  return NotYet();
}
hipError_t hipGraphAddEmptyNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t) { return NotYet(); }
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t, hipGraph_t) {
  return NotYet();
}
hipError_t hipGraphAddEventRecordNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t, hipEvent_t) {
  return NotYet();
}
hipError_t hipGraphAddEventWaitNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t, hipEvent_t) {
  return NotYet();
}
hipError_t hipGraphAddDependencies(hipGraph_t, const hipGraphNode_t*, const hipGraphNode_t*, size_t) {
  return NotYet();
}
hipError_t hipGraphDestroyNode(hipGraphNode_t) { return NotYet(); }
hipError_t hipGraphGetNodes(hipGraph_t, hipGraphNode_t*, size_t*) { return NotYet(); }
hipError_t hipGraphGetRootNodes(hipGraph_t, hipGraphNode_t*, size_t*) { return NotYet(); }
hipError_t hipGraphGetEdges(hipGraph_t, hipGraphNode_t*, hipGraphNode_t*, size_t*) { return NotYet(); }
hipError_t hipGraphNodeGetType(hipGraphNode_t, hipGraphNodeType*) { return NotYet(); }
hipError_t hipGraphNodeGetDependencies(hipGraphNode_t, hipGraphNode_t*, size_t*) { return NotYet(); }
hipError_t hipGraphChildGraphNodeGetGraph(hipGraphNode_t, hipGraph_t*) { return NotYet(); }
hipError_t hipGraphNodeFindInClone(hipGraphNode_t*, hipGraphNode_t, hipGraph_t) { return NotYet(); }
hipError_t hipGraphInstantiate(hipGraphExec_t*, hipGraph_t, hipGraphNode_t*, char*, size_t) { return NotYet(); }
hipError_t hipGraphInstantiateWithFlags(hipGraphExec_t*, hipGraph_t, unsigned long long) { return NotYet(); }
hipError_t hipGraphExecDestroy(hipGraphExec_t) { return NotYet(); }
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t) { return NotYet(); }
hipError_t hipGraphExecUpdate(hipGraphExec_t, hipGraph_t, hipGraphNode_t*, hipGraphExecUpdateResult*) {
  return NotYet();
}
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t, hipGraphNode_t, const hipKernelNodeParams*) {
  return NotYet();
}
hipError_t hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t, hipGraphNode_t, void*, const void*, size_t,
                                             hipMemcpyKind) {
  return NotYet();
}
hipError_t hipGraphExecMemsetNodeSetParams(hipGraphExec_t, hipGraphNode_t, const hipMemsetParams*) { return NotYet(); }
hipError_t hipGraphExecHostNodeSetParams(hipGraphExec_t, hipGraphNode_t, const hipHostNodeParams*) { return NotYet(); }
hipError_t hipGraphExecChildGraphNodeSetParams(hipGraphExec_t, hipGraphNode_t, hipGraph_t) { return NotYet(); }
hipError_t hipGraphDebugDotPrint(hipGraph_t, const char*, unsigned) { return NotYet(); }
}  // namespace embedded
}  // namespace rocxla::emu
