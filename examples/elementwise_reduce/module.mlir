module @jit_program attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<37x200xf32>, %arg1: tensor<200xf32>, %arg2: tensor<200xf32>) -> (tensor<37x200xf32> {jax.result_info = "result[0]"}, tensor<37xf32> {jax.result_info = "result[1]"}, tensor<37xf32> {jax.result_info = "result[2]"}, tensor<37xi32> {jax.result_info = "result[3]"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<37xf32>) -> tensor<37x1xf32>
    %cst_0 = stablehlo.constant dense<2.000000e+02> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<37x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<37x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<37x1xf32>) -> tensor<37x200xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<37x200xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<37x200xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<37xf32>) -> tensor<37x1xf32>
    %cst_2 = stablehlo.constant dense<2.000000e+02> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<37x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<37x1xf32>
    %11 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<37x1xf32>) -> tensor<37x200xf32>
    %12 = stablehlo.subtract %arg0, %11 : tensor<37x200xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<37x1xf32>
    %14 = stablehlo.add %10, %13 : tensor<37x1xf32>
    %15 = stablehlo.rsqrt %14 : tensor<37x1xf32>
    %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1] : (tensor<37x1xf32>) -> tensor<37x200xf32>
    %17 = stablehlo.multiply %12, %16 : tensor<37x200xf32>
    %18 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<200xf32>) -> tensor<1x200xf32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<1x200xf32>) -> tensor<37x200xf32>
    %20 = stablehlo.multiply %17, %19 : tensor<37x200xf32>
    %21 = stablehlo.broadcast_in_dim %arg2, dims = [1] : (tensor<200xf32>) -> tensor<1x200xf32>
    %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<1x200xf32>) -> tensor<37x200xf32>
    %23 = stablehlo.add %20, %22 : tensor<37x200xf32>
    %24 = call @silu(%23) : (tensor<37x200xf32>) -> tensor<37x200xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %25 = stablehlo.reduce(%24 init: %cst_4) applies stablehlo.add across dimensions = [1] : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
    %cst_5 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %26 = stablehlo.reduce(%24 init: %cst_5) applies stablehlo.maximum across dimensions = [1] : (tensor<37x200xf32>, tensor<f32>) -> tensor<37xf32>
    %27 = call @argmax(%24) : (tensor<37x200xf32>) -> tensor<37xi32>
    return %24, %25, %26, %27 : tensor<37x200xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi32>
  }
  func.func private @silu(%arg0: tensor<37x200xf32>) -> tensor<37x200xf32> {
    %0 = stablehlo.negate %arg0 : tensor<37x200xf32>
    %1 = stablehlo.exponential %0 : tensor<37x200xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<37x200xf32>
    %3 = stablehlo.add %2, %1 : tensor<37x200xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<37x200xf32>
    %5 = stablehlo.divide %4, %3 : tensor<37x200xf32>
    %6 = stablehlo.multiply %arg0, %5 : tensor<37x200xf32>
    return %6 : tensor<37x200xf32>
  }
  func.func private @argmax(%arg0: tensor<37x200xf32>) -> tensor<37xi32> {
    %0 = stablehlo.iota dim = 1 : tensor<37x200xi32>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst), (%0 init: %c) across dimensions = [1] : (tensor<37x200xf32>, tensor<37x200xi32>, tensor<f32>, tensor<i32>) -> (tensor<37xf32>, tensor<37xi32>)
     reducer(%arg1: tensor<f32>, %arg3: tensor<f32>) (%arg2: tensor<i32>, %arg4: tensor<i32>)  {
      %2 = stablehlo.compare GT, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = stablehlo.compare NE, %arg1, %arg1, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %4 = stablehlo.or %2, %3 : tensor<i1>
      %5 = stablehlo.compare EQ, %arg1, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %6 = stablehlo.compare LT, %arg2, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %7 = stablehlo.and %5, %6 : tensor<i1>
      %8 = stablehlo.or %4, %7 : tensor<i1>
      %9 = stablehlo.select %4, %arg1, %arg3 : tensor<i1>, tensor<f32>
      %10 = stablehlo.select %8, %arg2, %arg4 : tensor<i1>, tensor<i32>
      stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
    }
    return %1#1 : tensor<37xi32>
  }
}
